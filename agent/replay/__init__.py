"""What a session looked like, and whether today's code agrees."""

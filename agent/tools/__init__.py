"""What the avatar may do in the world."""

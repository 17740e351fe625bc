"""What we believe, and on whose word."""

"""The drawn face."""

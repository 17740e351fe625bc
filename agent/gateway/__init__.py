"""The HTTP door: translates, decides nothing."""

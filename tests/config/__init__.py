"""Settings, logging and characters."""

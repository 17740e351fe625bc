"""Settings and logging set-up, read once at the doors."""

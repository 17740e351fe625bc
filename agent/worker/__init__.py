"""The LiveKit door: one job is one session."""

"""What was generated, what was played, what was heard."""

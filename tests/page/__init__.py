"""The page in a real browser without a house: every state drawn, and its generated types."""

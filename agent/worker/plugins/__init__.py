"""Speech recognition, voice and language model as LiveKit plugin objects over agent.local."""

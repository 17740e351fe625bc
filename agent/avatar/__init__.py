"""The face: from sound and phonemes to pixels, without LiveKit."""

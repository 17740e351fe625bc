"""Engines on this machine, without LiveKit: ears, voice, model server, media server."""

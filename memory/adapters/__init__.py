"""Stores and indices behind the ports of memory."""

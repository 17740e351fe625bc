"""Tests of the schema's steps."""

"""The commands: parse, call one use case, print."""

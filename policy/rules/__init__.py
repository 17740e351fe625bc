"""The rules, as data: one schema, and one Cedar file per boundary that permits anything."""

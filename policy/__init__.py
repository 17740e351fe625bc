"""The boundary: what may be captured, sent away, remembered, told, done, kept and forgotten."""

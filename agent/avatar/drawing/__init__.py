"""The parts of the drawn face, back to front; the only package that draws with Skia."""

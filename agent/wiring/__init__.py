"""The composition root: the only package that knows which adapter stands behind a port."""

"""Files that come with the program: beside this module in a wheel, elsewhere in a checkout."""

from pathlib import Path

_HERE = Path(__file__).parent


def livekit_yaml() -> str:
    """Return LiveKit's server configuration as shipped."""
    packaged = _HERE / "livekit.yaml"
    path = packaged if packaged.is_file() else _HERE.parent / "livekit.yaml"
    return path.read_text("utf-8")

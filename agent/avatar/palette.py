"""The colours of a look and every shade derived from them, as plain numbers."""

from config.look import Look

Rgb = tuple[int, int, int]
"""Red, green, blue; 0..255 each."""

_BLACK: Rgb = (0, 0, 0)
_WHITE: Rgb = (255, 255, 255)
_WARM_SHADOW: Rgb = (122, 40, 22)
"""Skin in shade turns red, not grey."""
_MOUTH_DARK: Rgb = (58, 14, 22)


def parse(colour: str) -> Rgb:
    """Return the three numbers of ``#RRGGBB``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Return ``one`` with ``share`` (0..1) of ``other``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def lighter(colour: Rgb, share: float) -> Rgb:
    """Return ``colour`` mixed with white."""
    return mix(colour, _WHITE, share)


def darker(colour: Rgb, share: float) -> Rgb:
    """Return ``colour`` mixed with black."""
    return mix(colour, _BLACK, share)


def brightness(colour: Rgb) -> float:
    """Return how bright ``colour`` looks, 0..1 (the weights of broadcast television)."""
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def shaded_skin(colour: Rgb, share: float) -> Rgb:
    """Return skin as it looks in shade."""
    return mix(colour, _WARM_SHADOW, share)


class Palette:
    """One look, ready to be drawn."""

    def __init__(self, look: Look) -> None:
        background, skin, hair = parse(look.background), parse(look.skin), parse(look.hair)
        lips, iris, cloth = parse(look.lips), parse(look.iris), parse(look.cloth)
        self.background = background
        self.background_dark = darker(background, 0.58)
        self.background_light = parse(look.background_light)
        self.halo = parse(look.halo)
        self.skin = skin
        self.skin_light = lighter(skin, 0.12 + 0.36 * brightness(skin))
        self.skin_shade = shaded_skin(skin, 0.16)
        self.skin_dark = shaded_skin(skin, 0.34)
        self.skin_line = shaded_skin(skin, 0.55)
        self.blush = parse(look.blush)
        self.lip_upper = darker(lips, 0.10)
        self.lip_lower = lighter(lips, 0.08)
        self.lip_shine = lighter(lips, 0.62)
        self.lip_line = mix(darker(lips, 0.45), _MOUTH_DARK, 0.35)
        self.mouth_dark = _MOUTH_DARK
        self.mouth_light = mix(_MOUTH_DARK, lips, 0.40)
        self.tongue = mix(lips, (232, 128, 128), 0.65)
        self.teeth: Rgb = (255, 250, 243)
        self.hair = hair
        self.hair_light = lighter(hair, 0.26)
        self.hair_dark = darker(hair, 0.42)
        self.hair_behind = darker(hair, 0.60)
        self.brow = parse(look.brow)
        self.lash = darker(parse(look.brow), 0.45)
        self.eye_white: Rgb = (253, 253, 255)
        self.eye_white_shade: Rgb = (205, 210, 224)
        self.iris = iris
        self.iris_light = lighter(iris, 0.50)
        self.iris_dark = darker(iris, 0.58)
        self.pupil: Rgb = (12, 20, 28)
        self.cloth = cloth
        self.cloth_light = lighter(cloth, 0.14)
        self.cloth_dark = darker(cloth, 0.42)
        self.collar = parse(look.collar)
        self.collar_shade = darker(parse(look.collar), 0.22)
        self.lashes = look.lashes

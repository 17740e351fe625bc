"""What a drawn face looks like: colours and a few shapes, chosen by the character file."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Colour = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$", examples=["#5A3B33"])]
"""Red, green and blue as ``#RRGGBB``."""

HairStyle = Literal["bob", "short"]


class Look(BaseModel):
    """The colours of one face; shades of each are derived when it is drawn.

    Every field has a default, so that a character may change its hair and nothing else.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    background: Colour = "#20264A"
    background_light: Colour = "#3F5394"
    """The soft light behind the head."""
    halo: Colour = "#7FA8FF"
    """Glows around the head while the avatar listens, thinks or speaks."""
    skin: Colour = "#F8CDAF"
    blush: Colour = "#F0776B"
    lips: Colour = "#CC6F66"
    hair: Colour = "#5B3A31"
    hair_style: HairStyle = "bob"
    brow: Colour = "#452B27"
    iris: Colour = "#4F9DA6"
    lashes: Annotated[float, Field(ge=0.0, le=1.0)] = 1.0
    """How strong the lash line is; 0 is a thin natural lid."""
    cloth: Colour = "#3B6C7B"
    collar: Colour = "#E6F0EF"

"""What the boundary decided, on which rules, and what people consented to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trail.envelope import Fact
from trail.ids import DecisionId, ParticipantId, PersonId


class Purpose(StrEnum):
    """What a consent is for."""

    RECORDING = "recording"
    MEMORY = "memory"
    VOICE_IDENTITY = "voice_identity"
    FACE_IDENTITY = "face_identity"
    CAMERA = "camera"
    SCREEN = "screen"
    REMOTE_MODELS = "remote_models"


class Effect(StrEnum):
    """The answer."""

    ALLOW = "allow"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDecided(Fact):
    """One decision with its reasons. Standing decisions hold until their key changes."""

    decision_id: DecisionId
    action: str
    """One of the nine boundaries."""
    effect: Effect
    subject: ParticipantId
    resource: str
    """Type and id of the thing, never words."""
    purpose: str
    data_class: str
    provider: str
    provider_is_local: bool
    audience: tuple[ParticipantId, ...]
    rules: tuple[str, ...]
    """Ids of the rules that determined the answer; empty means no rule permitted it."""
    obligations: tuple[str, ...]
    rule_set: str
    """Digest of the rules in force."""
    consents: str
    """Digest of the consents in force."""
    standing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsUsed(Fact):
    """How often a standing decision was used since last counted."""

    decision_id: DecisionId
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGiven(Fact):
    """A person permits something about themselves (person stream)."""

    person: PersonId
    purpose: Purpose
    until: datetime | None
    """End of the consent, UTC; None until withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentWithdrawn(Fact):
    """A person takes a consent back (person stream)."""

    person: PersonId
    purpose: Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSetLoaded(Fact):
    """Rules came into force (house stream)."""

    digest: str
    rules: int

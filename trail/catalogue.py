"""Every fact that may be recorded, under a name that outlives its class.

Rename or move a class freely; never change its name here. Change its shape by raising the
version and adding an upcaster, and keep a golden trace of the old version.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from trail.envelope import Fact
from trail.events import delivery, generation, house, interaction, perception, policy, session

NAMES: Final[Mapping[str, tuple[type[Fact], int]]] = {
    "session.requested": (session.SessionRequested, 1),
    "session.opened": (session.SessionOpened, 1),
    "session.resumed": (session.SessionResumed, 1),
    "session.ended": (session.SessionEnded, 1),
    "session.erased": (session.SessionErased, 1),
    "session.invitation_issued": (session.InvitationIssued, 1),
    "session.invitation_redeemed": (session.InvitationRedeemed, 1),
    "session.invitation_revoked": (session.InvitationRevoked, 1),
    "session.house_started": (house.HouseStarted, 1),
    "session.house_stopped": (house.HouseStopped, 1),
    "session.worker_replaced": (house.WorkerReplaced, 1),
    "participant.joined": (session.ParticipantJoined, 1),
    "participant.left": (session.ParticipantLeft, 1),
    "participant.named": (session.PersonNamed, 1),
    "perception.observation.received": (perception.ObservationReceived, 1),
    "perception.observation.missed": (perception.ObservationsMissed, 1),
    "interaction.turn.committed": (interaction.TurnCommitted, 1),
    "interaction.turn.answered": (interaction.TurnAnswered, 1),
    "generation.segment_generated": (generation.SegmentGenerated, 1),
    "generation.reply_withdrawn": (generation.ReplyWithdrawn, 1),
    "generation.provider_failed": (generation.ProviderFailed, 1),
    "delivery.segment_voiced": (delivery.SegmentVoiced, 1),
    "delivery.segment_ran": (delivery.SegmentRan, 1),
    "delivery.playback_ended": (delivery.PlaybackEnded, 1),
    "delivery.segment_started": (delivery.SegmentStarted, 1),
    "delivery.segment_progressed": (delivery.SegmentProgressed, 1),
    "delivery.segment_finished": (delivery.SegmentFinished, 1),
    "delivery.message_displayed": (delivery.MessageDisplayed, 1),
    "policy.decided": (policy.PolicyDecided, 1),
    "policy.decisions_used": (policy.DecisionsUsed, 1),
    "policy.consent_given": (policy.ConsentGiven, 1),
    "policy.consent_withdrawn": (policy.ConsentWithdrawn, 1),
    "policy.rule_set_loaded": (policy.RuleSetLoaded, 1),
}

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = {}
"""(name, old version) to the step that lifts its payload by one version."""

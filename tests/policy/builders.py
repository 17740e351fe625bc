"""Short ways to say what a policy test is about. Everything is in Anna's own room unless said."""

from datetime import UTC, datetime

from policy.requests import HERE, Action, DataClass, Provider, Request, Situation
from trail.envelope import PrivacyClass
from trail.ids import CharacterId, ParticipantId, PersonId, SessionId

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANNA = PersonId("anna")
BEN = PersonId("ben")
ELSEWHERE = Provider(name="openai", is_local=False)


def request(
    action: Action = Action.EGRESS,
    *,
    subject: str = ANNA,
    owner: str = ANNA,
    data_class: DataClass = DataClass.AUDIO,
    privacy_class: PrivacyClass = PrivacyClass.BIOMETRIC,
    purpose: str = "conversation",
    audience: tuple[str, ...] = (ANNA,),
    provider: Provider = HERE,
    scopes: tuple[str, ...] = (),
    resource_id: str = "",
    profile: str = "private",
) -> Request:
    return Request(
        action=action,
        subject=ParticipantId(subject),
        owner=PersonId(owner),
        data_class=data_class,
        privacy_class=privacy_class,
        purpose=purpose,
        situation=Situation(
            session_id=SessionId("s1"),
            character_id=CharacterId("ada"),
            audience=frozenset(ParticipantId(person) for person in audience),
            profile=profile,
        ),
        provider=provider,
        resource_id=resource_id,
        scopes=frozenset(scopes),
    )


def reading(*, subject: str = ANNA, audience: tuple[str, ...] = (ANNA,)) -> Request:
    """Return a request to read a session of Anna's back."""
    return request(
        Action.AUDIT,
        subject=subject,
        audience=audience,
        data_class=DataClass.TRAIL,
        privacy_class=PrivacyClass.PERSONAL,
        purpose="reading",
    )

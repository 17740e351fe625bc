/** Who in a room is the avatar, and whose tracks are its own. */

import { type Participant, ParticipantKind } from "livekit-client";
import { oneOf } from "../core/decode";
import { AVATAR_STATES, type AvatarState } from "../core/wire";

const IDENTITY_PREFIX = "avatar-";
const STATE = "lk.agent.state";
const ON_BEHALF = "lk.publish_on_behalf";

/** The avatar itself: an agent by kind and by name. Only its messages are believed. */
export function isAvatar(participant: Participant): boolean {
  return (
    participant.kind === ParticipantKind.AGENT && participant.identity.startsWith(IDENTITY_PREFIX)
  );
}

/** The avatar, or a renderer that publishes its face and voice for it. */
export function speaksForAvatar(participant: Participant): boolean {
  if (isAvatar(participant)) return true;
  const principal = participant.attributes[ON_BEHALF];
  return (
    participant.kind === ParticipantKind.AGENT && principal?.startsWith(IDENTITY_PREFIX) === true
  );
}

/** What it says of itself in its attributes: known at once to somebody who comes later. */
export function stateOf(participant: Participant): AvatarState | undefined {
  return oneOf(participant.attributes[STATE], AVATAR_STATES);
}

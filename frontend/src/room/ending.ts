/** LiveKit's reasons for a disconnect in the words of this page. */

import { DisconnectReason } from "livekit-client";
import type { Ending } from "../core/call";

export function endingOf(reason: DisconnectReason | undefined): Ending {
  switch (reason) {
    case DisconnectReason.CLIENT_INITIATED:
      return { kind: "left" };
    case DisconnectReason.DUPLICATE_IDENTITY:
      return { kind: "taken_over" };
    case DisconnectReason.PARTICIPANT_REMOVED:
      return { kind: "removed" };
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
      return { kind: "session_ended", because: undefined };
    default:
      return { kind: "lost" };
  }
}

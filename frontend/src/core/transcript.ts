/** The transcript as `GET /api/sessions/{id}/transcript` serves it, checked and made into turns. */

import type { Delivery as ServedDelivery, Transcript, TranscriptTurn } from "../contracts/gateway";
import { id, list, oneOf, type Promised, promised, text } from "./decode";
import { length } from "./letters";
import type { AvatarTurn, Delivery, Segment, Turn } from "./turns";
import { CHANNELS, DELIVERY_STATES, EVIDENCE, HOWS } from "./wire";

/** Undefined when it is not a transcript; a turn that cannot be read is left out. */
export function readTranscript(body: unknown): readonly Turn[] | undefined {
  return list(promised<Transcript>(body)?.turns)?.flatMap((item) => {
    const turn = readTurn(promised<TranscriptTurn>(item));
    return turn === undefined ? [] : [turn];
  });
}

function readTurn(from: Promised<TranscriptTurn> | undefined): Turn | undefined {
  const turnId = id(from?.turn_id);
  const speaker = oneOf(from?.speaker, ["person", "avatar"]);
  if (from === undefined || turnId === undefined || speaker === undefined) return undefined;
  const said = text(from.text) ?? "";
  if (speaker === "person") {
    return {
      kind: "person",
      turnId,
      speaker: id(from.participant_id) ?? "person",
      channel: oneOf(from.channel, CHANNELS) ?? "speech",
      text: said,
    };
  }
  return avatarTurn(turnId, said, text(from.generated_text) ?? said, readDelivery(from));
}

function readDelivery(from: Promised<TranscriptTurn>): Delivery {
  const delivery = promised<ServedDelivery>(from.delivery);
  return {
    state: oneOf(delivery?.state, DELIVERY_STATES) ?? "unknown",
    how: oneOf(delivery?.how, HOWS),
    evidence: oneOf(delivery?.evidence, EVIDENCE) ?? "unknown",
  };
}

/** One segment stands for the whole reply; it carries the turn's id to tell it from live ones. */
function avatarTurn(
  turnId: string,
  heard: string,
  generated: string,
  delivery: Delivery,
): AvatarTurn {
  const whole = generated.startsWith(heard) ? generated : heard;
  const heardChars = length(heard);
  const segment: Segment = {
    segmentId: turnId,
    text: whole,
    heardChars,
    sayingChars: heardChars,
    playing: false,
    delivery,
  };
  return { kind: "avatar", turnId, segments: [segment] };
}

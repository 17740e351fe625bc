/**
 * The live topic: what the avatar's participant tells the page while a conversation runs.
 *
 * Every message is checked here, field by field, before anything else sees it. A kind that this page
 * does not know is not an error (the server may be newer); a known kind with a wrong field is.
 */

import type { DeliveryState, Evidence, How } from "../contracts/gateway";
import { count, type Fields, fields, id, oneOf, parsed, real, text } from "./decode";

export const LIVE_TOPIC = "earwitness.conversation";
export const CHAT_TOPIC = "lk.chat";
const VERSION = 1;

export const DELIVERY_STATES: readonly DeliveryState[] = [
  "pending",
  "full",
  "partial",
  "none",
  "canceled",
  "superseded",
  "unknown",
];

export const EVIDENCE: readonly Evidence[] = ["listener", "server", "unknown"];

export const HOWS: readonly How[] = ["finished", "interrupted", "vanished", "failed", "withdrawn"];

export type { DeliveryState, Evidence, How };

export const AVATAR_STATES = ["idle", "listening", "thinking", "speaking"] as const;
export type AvatarState = (typeof AVATAR_STATES)[number];

export const CHANNELS = ["speech", "text"] as const;
export type Channel = (typeof CHANNELS)[number];

export type LiveMessage =
  | { kind: "hearing"; utteranceId: string; speaker: string; text: string }
  | {
      kind: "turn";
      turnId: string;
      utteranceId: string | undefined;
      speaker: string;
      channel: Channel;
      atS: number;
      text: string;
    }
  | { kind: "generated"; turnId: string; segmentId: string; offset: number; text: string }
  | {
      kind: "progress";
      turnId: string;
      segmentId: string;
      heardChars: number;
      sayingChars: number;
      playing: boolean;
    }
  | {
      kind: "delivered";
      turnId: string;
      segmentId: string;
      state: DeliveryState;
      how: How | undefined;
      evidence: Evidence;
      heardChars: number;
      heardS: number;
      ofS: number;
    }
  | { kind: "withdrawn"; turnId: string; segmentId: string }
  | { kind: "answered"; turnId: string; answerMs: number }
  | { kind: "notice"; code: string; values: Fields }
  | { kind: "state"; state: AvatarState };

export type LiveReading =
  | { kind: "message"; seq: number; message: LiveMessage }
  | { kind: "unknown" }
  | { kind: "unreadable" };

type Reader = (from: Fields) => LiveMessage | undefined;

const READERS: Readonly<Record<LiveMessage["kind"], Reader>> = {
  hearing: (from) => {
    const utteranceId = id(from.utterance_id);
    const speaker = id(from.speaker);
    const words = text(from.text);
    if (utteranceId === undefined || speaker === undefined || words === undefined) return undefined;
    return { kind: "hearing", utteranceId, speaker, text: words };
  },
  turn: (from) => {
    const turnId = id(from.turn_id);
    const speaker = id(from.speaker);
    const channel = oneOf(from.channel, CHANNELS);
    const atS = real(from.at_s);
    const words = text(from.text);
    if (turnId === undefined || speaker === undefined || channel === undefined) return undefined;
    if (atS === undefined || words === undefined) return undefined;
    const utteranceId = id(from.utterance_id);
    return { kind: "turn", turnId, utteranceId, speaker, channel, atS, text: words };
  },
  generated: (from) => {
    const turnId = id(from.turn_id);
    const segmentId = id(from.segment_id);
    const offset = count(from.offset);
    const words = text(from.text);
    if (turnId === undefined || segmentId === undefined) return undefined;
    if (offset === undefined || words === undefined) return undefined;
    return { kind: "generated", turnId, segmentId, offset, text: words };
  },
  progress: (from) => {
    const turnId = id(from.turn_id);
    const segmentId = id(from.segment_id);
    const heardChars = count(from.heard_chars);
    const sayingChars = count(from.saying_chars);
    if (turnId === undefined || segmentId === undefined) return undefined;
    if (heardChars === undefined || sayingChars === undefined) return undefined;
    const playing = from.playing === true;
    const reach = Math.max(heardChars, sayingChars);
    return { kind: "progress", turnId, segmentId, heardChars, sayingChars: reach, playing };
  },
  delivered: (from) => {
    const turnId = id(from.turn_id);
    const segmentId = id(from.segment_id);
    const state = oneOf(from.state, DELIVERY_STATES);
    const heardChars = count(from.heard_chars);
    if (turnId === undefined || segmentId === undefined) return undefined;
    if (state === undefined || heardChars === undefined) return undefined;
    return {
      kind: "delivered",
      turnId,
      segmentId,
      state,
      how: oneOf(from.how, HOWS),
      evidence: oneOf(from.evidence, EVIDENCE) ?? "unknown",
      heardChars,
      heardS: real(from.heard_s) ?? 0,
      ofS: real(from.of_s) ?? 0,
    };
  },
  withdrawn: (from) => {
    const turnId = id(from.turn_id);
    const segmentId = id(from.segment_id);
    if (turnId === undefined || segmentId === undefined) return undefined;
    return { kind: "withdrawn", turnId, segmentId };
  },
  answered: (from) => {
    const turnId = id(from.turn_id);
    const answerMs = real(from.answer_ms);
    if (turnId === undefined || answerMs === undefined || answerMs < 0) return undefined;
    return { kind: "answered", turnId, answerMs };
  },
  notice: (from) => {
    const code = id(from.code);
    if (code === undefined) return undefined;
    return { kind: "notice", code, values: fields(from.values) ?? {} };
  },
  state: (from) => {
    const state = oneOf(from.state, AVATAR_STATES);
    return state === undefined ? undefined : { kind: "state", state };
  },
};

const KINDS = Object.keys(READERS) as readonly LiveMessage["kind"][];

/** Reads one packet of the live topic. Never throws, whatever was sent. */
export function readLive(json: string): LiveReading {
  const from = fields(parsed(json));
  const seq = count(from?.seq);
  if (from === undefined || seq === undefined) return { kind: "unreadable" };
  if (from.v !== VERSION) return { kind: "unknown" };
  const kind = oneOf(from.kind, KINDS);
  if (kind === undefined) return { kind: "unknown" };
  const message = READERS[kind](from);
  return message === undefined ? { kind: "unreadable" } : { kind: "message", seq, message };
}

/**
 * The conversation as the page shows it: a pure fold of live messages, the fetched transcript and
 * what was typed here. Everything that changes it lives in this file.
 *
 * The live topic may lose messages and may arrive in the middle; the transcript is the truth for what
 * is settled. When something does not fit, `gaps` grows, and the owner fetches the transcript.
 */

import { assertNever } from "./assertNever";
import { remembered } from "./latency";
import { hasHole, holesShown, written } from "./letters";
import {
  type AvatarTurn,
  deliveryOf,
  PENDING,
  type Segment,
  stillAhead,
  type Turn,
  VANISHED,
  within,
} from "./turns";
import type { AvatarState, LiveMessage } from "./wire";

/** Words of a person while they are being recognised; replaced until the turn is committed. */
export interface Interim {
  readonly utteranceId: string;
  readonly speaker: string;
  readonly text: string;
}

export type Outgoing =
  | { readonly kind: "waiting"; readonly key: string; readonly text: string }
  | { readonly kind: "sent"; readonly key: string; readonly text: string }
  | { readonly kind: "failed"; readonly key: string; readonly text: string; readonly why: string };

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly interim: readonly Interim[];
  readonly outgoing: readonly Outgoing[];
  readonly latencies: readonly number[];
  readonly avatar: AvatarState;
  /** Position in the live topic, per sender: a replaced avatar counts anew. */
  readonly heardUpTo: { readonly sender: string; readonly seq: number } | undefined;
  /** How often something was missing; each increase is a reason to fetch the transcript. */
  readonly gaps: number;
}

export const EMPTY: Conversation = {
  turns: [],
  interim: [],
  outgoing: [],
  latencies: [],
  avatar: "idle",
  heardUpTo: undefined,
  gaps: 0,
};

export type ConversationInput =
  | { kind: "live"; sender: string; seq: number; message: LiveMessage }
  | { kind: "transcript"; turns: readonly Turn[] }
  | { kind: "typed"; key: string; text: string }
  | { kind: "typed_sent"; key: string }
  | { kind: "typed_failed"; key: string; why: string }
  | { kind: "typed_dropped"; key: string }
  | { kind: "avatar_state"; state: AvatarState }
  | { kind: "avatar_gone" };

export function folded(state: Conversation, input: ConversationInput): Conversation {
  switch (input.kind) {
    case "live":
      return withLive(state, input);
    case "transcript":
      return { ...state, turns: merged(state.turns, input.turns) };
    case "typed":
      return {
        ...state,
        outgoing: [...state.outgoing, { kind: "waiting", key: input.key, text: input.text }],
      };
    case "typed_sent":
      return replaceOutgoing(state, input.key, (item) => ({ ...item, kind: "sent" }));
    case "typed_failed":
      return replaceOutgoing(state, input.key, (item) => ({
        kind: "failed",
        key: item.key,
        text: item.text,
        why: input.why,
      }));
    case "typed_dropped":
      return { ...state, outgoing: state.outgoing.filter((item) => item.key !== input.key) };
    case "avatar_state":
      return state.avatar === input.state ? state : { ...state, avatar: input.state };
    case "avatar_gone":
      return { ...state, turns: state.turns.map(orphaned), interim: [], avatar: "idle" };
    default:
      return assertNever(input);
  }
}

/** Whoever spoke it cannot tell any more how it ended. A line that mends corrects this. */
function orphaned(turn: Turn): Turn {
  if (turn.kind === "person" || deliveryOf(turn).state !== "pending") return turn;
  const ended = (segment: Segment): Segment =>
    segment.delivery.state === "pending"
      ? { ...segment, playing: false, delivery: VANISHED }
      : segment;
  return { ...turn, segments: turn.segments.map(ended) };
}

function replaceOutgoing(
  state: Conversation,
  key: string,
  change: (item: Outgoing) => Outgoing,
): Conversation {
  return {
    ...state,
    outgoing: state.outgoing.map((item) => (item.key === key ? change(item) : item)),
  };
}

function withLive(
  before: Conversation,
  input: { sender: string; seq: number; message: LiveMessage },
): Conversation {
  const known = before.heardUpTo?.sender === input.sender ? before.heardUpTo.seq : undefined;
  if (known !== undefined && input.seq <= known) return before;
  const missed = known !== undefined && input.seq > known + 1;
  const state: Conversation = {
    ...before,
    heardUpTo: { sender: input.sender, seq: input.seq },
    gaps: missed ? before.gaps + 1 : before.gaps,
  };
  return withMessage(state, input.message);
}

function withMessage(state: Conversation, message: LiveMessage): Conversation {
  switch (message.kind) {
    case "hearing":
      return { ...state, interim: withInterim(state.interim, message) };
    case "turn":
      return withPersonTurn(state, message);
    case "generated":
      return withSegment(state, message.turnId, message.segmentId, true, (segment) => ({
        ...segment,
        text: written(segment.text, message.offset, message.text),
      }));
    case "progress":
      return withSegment(state, message.turnId, message.segmentId, false, (segment) =>
        segment.delivery.state === "pending"
          ? {
              ...segment,
              heardChars: within(segment.text, message.heardChars),
              sayingChars: within(segment.text, message.sayingChars),
              playing: message.playing,
            }
          : segment,
      );
    case "delivered":
      return withSegment(state, message.turnId, message.segmentId, false, (segment) => ({
        ...segment,
        heardChars: within(segment.text, message.heardChars),
        sayingChars: within(segment.text, message.heardChars),
        playing: false,
        delivery: { state: message.state, how: message.how, evidence: message.evidence },
      }));
    case "withdrawn":
      return withoutSegment(state, message.turnId, message.segmentId);
    case "answered":
      return { ...state, latencies: remembered(state.latencies, message.answerMs) };
    case "state":
      return { ...state, avatar: message.state };
    case "notice":
      return state;
    default:
      return assertNever(message);
  }
}

function withInterim(
  interim: readonly Interim[],
  now: { utteranceId: string; speaker: string; text: string },
): readonly Interim[] {
  const others = interim.filter((item) => item.utteranceId !== now.utteranceId);
  if (now.text === "") return others;
  const { utteranceId, speaker, text } = now;
  return [...others, { utteranceId, speaker, text }].slice(-4);
}

function withPersonTurn(
  state: Conversation,
  message: Extract<LiveMessage, { kind: "turn" }>,
): Conversation {
  const { turnId, speaker, channel, text } = message;
  const turn: Turn = { kind: "person", turnId, speaker, channel, text };
  const interim = state.interim.filter((item) =>
    message.utteranceId === undefined
      ? channel !== "speech" || item.speaker !== speaker
      : item.utteranceId !== message.utteranceId,
  );
  const outgoing = channel === "text" ? withoutArrived(state.outgoing, text) : state.outgoing;
  return { ...state, interim, outgoing, turns: placed(state.turns, turn) };
}

/** A typed turn came back: the message with that text, else the oldest one that is on its way. */
function withoutArrived(outgoing: readonly Outgoing[], text: string): readonly Outgoing[] {
  const onTheirWay = outgoing.filter((item) => item.kind === "sent");
  const arrived = onTheirWay.find((item) => item.text.trim() === text.trim()) ?? onTheirWay[0];
  return outgoing.filter((item) => item !== arrived);
}

/** Order is that of hearing: words of a person come before a reply of which nothing was played. */
function placed(turns: readonly Turn[], turn: Turn): readonly Turn[] {
  const known = turns.findIndex((other) => other.turnId === turn.turnId);
  if (known >= 0) return turns.with(known, turn);
  let at = turns.length;
  for (let before = turns[at - 1]; before !== undefined && stillAhead(before); ) {
    at -= 1;
    before = turns[at - 1];
  }
  return turns.toSpliced(at, 0, turn);
}

function withSegment(
  state: Conversation,
  turnId: string,
  segmentId: string,
  mayBegin: boolean,
  change: (segment: Segment) => Segment,
): Conversation {
  const at = state.turns.findIndex((turn) => turn.turnId === turnId);
  const turn = state.turns[at] ?? ({ kind: "avatar", turnId, segments: [] } satisfies AvatarTurn);
  if (turn.kind !== "avatar") return { ...state, gaps: state.gaps + 1 };
  const place = turn.segments.findIndex((segment) => segment.segmentId === segmentId);
  const segment = turn.segments[place];
  if (segment === undefined && !mayBegin) return { ...state, gaps: state.gaps + 1 };
  const changed = change(segment ?? begun(segmentId));
  const settled = changed.delivery.state !== "pending";
  const gaps = state.gaps + (settled && hasHole(changed.text) ? 1 : 0);
  const segments =
    segment === undefined ? [...turn.segments, changed] : turn.segments.with(place, changed);
  const next: AvatarTurn = { ...turn, segments };
  return { ...state, gaps, turns: at < 0 ? [...state.turns, next] : state.turns.with(at, next) };
}

function begun(segmentId: string): Segment {
  return {
    segmentId,
    text: "",
    heardChars: 0,
    sayingChars: 0,
    playing: false,
    delivery: PENDING,
  };
}

function withoutSegment(state: Conversation, turnId: string, segmentId: string): Conversation {
  const turns = state.turns.flatMap((turn): readonly Turn[] => {
    if (turn.kind !== "avatar" || turn.turnId !== turnId) return [turn];
    const segments = turn.segments.filter((segment) => segment.segmentId !== segmentId);
    return segments.length === 0 ? [] : [{ ...turn, segments }];
  });
  return { ...state, turns };
}

/**
 * The fetched transcript over what is held. It decides order and settled turns; a reply that is
 * still being said is kept as the live topic told it, and so is what the transcript has not yet.
 */
function merged(held: readonly Turn[], fetched: readonly Turn[]): readonly Turn[] {
  const byId = new Map(held.map((turn) => [turn.turnId, turn]));
  const settled = fetched.map((turn) => {
    const mine = byId.get(turn.turnId);
    return mine !== undefined && isLive(mine) ? mine : turn;
  });
  const known = new Set(fetched.map((turn) => turn.turnId));
  const newest = Math.max(-1, ...held.map((turn, at) => (known.has(turn.turnId) ? at : -1)));
  return [...settled, ...held.filter((turn, at) => !known.has(turn.turnId) && at > newest)];
}

function isLive(turn: Turn): boolean {
  return (
    turn.kind === "avatar" &&
    turn.segments.some(
      (segment) => segment.delivery.state === "pending" && segment.segmentId !== turn.turnId,
    )
  );
}

/** What is being said right now, for captions: the sentence up to the word being said. */
export function captionOf(state: Conversation): string {
  const last = state.turns.findLast((turn): turn is AvatarTurn => turn.kind === "avatar");
  const segment = last?.segments.findLast((item) => item.playing);
  if (segment === undefined) return "";
  const said = Array.from(segment.text).slice(0, segment.sayingChars).join("");
  const sentence =
    holesShown(said)
      .split(/(?<=[.!?…])\s+/u)
      .at(-1) ?? "";
  const letters = Array.from(sentence);
  return letters.length > 160 ? `…${letters.slice(-150).join("")}` : sentence;
}

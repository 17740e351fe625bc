/** The turns of a conversation as the page holds them. */

import { length } from "./letters";
import type { Channel, DeliveryState, Evidence, How } from "./wire";

export interface Delivery {
  readonly state: DeliveryState;
  readonly how: How | undefined;
  readonly evidence: Evidence;
}

/** One stretch of the avatar's speech. `heardChars` ≤ `sayingChars`, counted in code points. */
export interface Segment {
  readonly segmentId: string;
  readonly text: string;
  readonly heardChars: number;
  /** End of the word being said. */
  readonly sayingChars: number;
  readonly playing: boolean;
  readonly delivery: Delivery;
}

export interface PersonTurn {
  readonly kind: "person";
  readonly turnId: string;
  readonly speaker: string;
  readonly channel: Channel;
  readonly text: string;
}

export interface AvatarTurn {
  readonly kind: "avatar";
  readonly turnId: string;
  readonly segments: readonly Segment[];
}

export type Turn = PersonTurn | AvatarTurn;

export const PENDING: Delivery = { state: "pending", how: undefined, evidence: "unknown" };

export const VANISHED: Delivery = { state: "unknown", how: "vanished", evidence: "unknown" };

/** Whether nothing of it has been played yet, so that a person's words come before it. */
export function stillAhead(turn: Turn): boolean {
  return (
    turn.kind === "avatar" &&
    turn.segments.every(
      (segment) =>
        segment.delivery.state === "pending" && !segment.playing && segment.sayingChars === 0,
    )
  );
}

const NOT_HEARD: readonly DeliveryState[] = ["none", "canceled", "superseded"];

/** The delivery of a whole turn, from that of its segments. */
export function deliveryOf(turn: Turn): Delivery {
  if (turn.kind === "person") return { state: "full", how: "finished", evidence: "server" };
  const all = turn.segments.map((segment) => segment.delivery);
  const last = all.at(-1);
  const first = all.at(0);
  if (last === undefined || first === undefined) return PENDING;
  const how = all.find((delivery) => delivery.how !== "finished")?.how ?? last.how;
  const evidence = all.every((delivery) => delivery.evidence === first.evidence)
    ? first.evidence
    : weakest(all);
  return { state: stateOf(all.map((delivery) => delivery.state)), how, evidence };
}

function stateOf(states: readonly DeliveryState[]): DeliveryState {
  const first = states[0] ?? "pending";
  if (states.includes("pending")) return "pending";
  if (states.every((state) => state === first)) return first;
  if (states.every((state) => NOT_HEARD.includes(state))) return "none";
  if (states.includes("unknown")) return "unknown";
  return "partial";
}

function weakest(all: readonly Delivery[]): Evidence {
  return all.some((delivery) => delivery.evidence === "unknown") ? "unknown" : "server";
}

export type SpanKind = "heard" | "saying" | "ahead" | "never" | "unknown";

/** A piece of a turn's text that is drawn in one way. */
export interface Span {
  readonly kind: SpanKind;
  readonly text: string;
}

/** The avatar's turn as pieces: heard, being said, still to come, never said, or not known. */
export function spansOf(turn: AvatarTurn): readonly Span[] {
  const spans: Span[] = [];
  for (const segment of turn.segments) {
    const gap = needsGap(spans.at(-1)?.text ?? "", segment.text) ? " " : "";
    segmentSpans(segment)
      .filter((span) => span.text !== "")
      .forEach((span, at) => {
        append(spans, at === 0 ? { ...span, text: gap + span.text } : span);
      });
  }
  return spans;
}

/** Segments are sentences; where neither side brings a space, one is drawn between them. */
function needsGap(before: string, after: string): boolean {
  return before !== "" && !/\s$/u.test(before) && !/^\s/u.test(after);
}

function segmentSpans(segment: Segment): readonly Span[] {
  const letters = Array.from(segment.text);
  const cut = (kind: SpanKind, start: number, end?: number): Span => ({
    kind,
    text: letters.slice(start, end).join(""),
  });
  switch (segment.delivery.state) {
    case "pending":
      return [
        cut("heard", 0, wordStart(letters, segment)),
        cut("saying", wordStart(letters, segment), segment.sayingChars),
        cut("ahead", segment.sayingChars),
      ];
    case "full":
      return [cut("heard", 0)];
    case "partial":
      return [cut("heard", 0, segment.heardChars), cut("never", segment.heardChars)];
    case "unknown":
      return [cut("unknown", 0)];
    case "none":
    case "canceled":
    case "superseded":
      return [cut("never", 0)];
  }
}

/** The space before the word being said is not part of it. */
function wordStart(letters: readonly string[], { heardChars, sayingChars }: Segment): number {
  let start = heardChars;
  while (start < sayingChars && /\s/u.test(letters[start] ?? "x")) start += 1;
  return start;
}

function append(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last?.kind === span.kind && span.kind !== "saying") {
    spans[spans.length - 1] = { kind: last.kind, text: last.text + span.text };
  } else {
    spans.push(span);
  }
}

/** Places progress inside the text it speaks of. */
export function within(text: string, chars: number): number {
  return Math.min(chars, length(text));
}

import { describe, expect, test } from "vitest";
import { readLive } from "../../src/core/wire";

const packet = (kind: string, rest: Record<string, unknown>): string =>
  JSON.stringify({ v: 1, seq: 7, kind, ...rest });

describe("a live message is checked before anything sees it", () => {
  test.each([
    ["not JSON", "{", "unreadable"],
    ["a list", "[1]", "unreadable"],
    ["null", "null", "unreadable"],
    ["no seq", JSON.stringify({ v: 1, kind: "state", state: "idle" }), "unreadable"],
    ["a negative seq", JSON.stringify({ v: 1, seq: -1, kind: "state" }), "unreadable"],
    ["another version", JSON.stringify({ v: 2, seq: 1, kind: "state", state: "idle" }), "unknown"],
    ["a kind of tomorrow", packet("dance", {}), "unknown"],
    ["a kind named like a property of objects", packet("constructor", {}), "unknown"],
    ["a state nobody knows", packet("state", { state: "sleeping" }), "unreadable"],
    [
      "words that are a number",
      packet("hearing", { utterance_id: "u", speaker: "p", text: 5 }),
      "unreadable",
    ],
    [
      "an offset below zero",
      packet("generated", { turn_id: "t", segment_id: "s", offset: -2, text: "" }),
      "unreadable",
    ],
    ["an empty id", packet("withdrawn", { turn_id: "", segment_id: "s" }), "unreadable"],
    [
      "half a character count",
      packet("progress", { turn_id: "t", segment_id: "s", heard_chars: 1.5, saying_chars: 2 }),
      "unreadable",
    ],
    [
      "a latency that is infinite",
      '{"v":1,"seq":1,"kind":"answered","turn_id":"t","answer_ms":1e999}',
      "unreadable",
    ],
  ])("given %s then it is %s", (_, json, kind) => {
    expect(readLive(json).kind).toBe(kind);
  });

  test.each([
    [
      "hearing",
      { utterance_id: "u", speaker: "p", text: "" },
      { utteranceId: "u", speaker: "p", text: "" },
    ],
    [
      "turn",
      { turn_id: "t", utterance_id: null, speaker: "p", channel: "text", at_s: 1.5, text: "hi" },
      { turnId: "t", utteranceId: undefined, speaker: "p", channel: "text", atS: 1.5, text: "hi" },
    ],
    [
      "generated",
      { turn_id: "t", segment_id: "s", offset: 3, text: "x" },
      { turnId: "t", segmentId: "s", offset: 3, text: "x" },
    ],
    [
      "progress",
      { turn_id: "t", segment_id: "s", heard_chars: 4, saying_chars: 2, playing: true },
      { turnId: "t", segmentId: "s", heardChars: 4, sayingChars: 4, playing: true },
    ],
    [
      "delivered",
      {
        turn_id: "t",
        segment_id: "s",
        state: "partial",
        how: "interrupted",
        evidence: "server",
        heard_chars: 4,
        heard_s: 0.5,
        of_s: 2,
      },
      {
        turnId: "t",
        segmentId: "s",
        state: "partial",
        how: "interrupted",
        evidence: "server",
        heardChars: 4,
        heardS: 0.5,
        ofS: 2,
      },
    ],
    ["withdrawn", { turn_id: "t", segment_id: "s" }, { turnId: "t", segmentId: "s" }],
    ["answered", { turn_id: "t", answer_ms: 812.5 }, { turnId: "t", answerMs: 812.5 }],
    ["notice", { code: "no_answer" }, { code: "no_answer", values: {} }],
    ["state", { state: "thinking" }, { state: "thinking" }],
  ])("given a whole %s then its fields arrive", (kind, sent, read) => {
    expect(readLive(packet(kind, sent))).toEqual({
      kind: "message",
      seq: 7,
      message: { kind, ...read },
    });
  });
});

import { describe, expect, test } from "vitest";
import {
  type Conversation,
  type ConversationInput,
  captionOf,
  EMPTY,
  folded,
} from "../../src/core/conversation";
import { holesShown } from "../../src/core/letters";
import { readTranscript } from "../../src/core/transcript";
import { deliveryOf, spansOf, type Turn } from "../../src/core/turns";
import type { LiveMessage } from "../../src/core/wire";
import { delivered, followed, generated, person, progress, told } from "../../src/gallery/pieces";

const ids = (state: Conversation): readonly string[] => state.turns.map((turn) => turn.turnId);

function spans(state: Conversation, turnId: string): readonly string[] {
  const turn = state.turns.find((one) => one.turnId === turnId);
  return turn?.kind === "avatar" ? spansOf(turn).map((span) => `${span.kind}:${span.text}`) : [];
}

const live = (seq: number, message: LiveMessage, sender = "a"): ConversationInput => ({
  kind: "live",
  sender,
  seq,
  message,
});

describe("the avatar's words are shown by what became of them", () => {
  const reply = generated("t", "One two three");
  test.each<[string, readonly LiveMessage[], readonly string[]]>([
    ["nothing was played", [reply], ["ahead:One two three"]],
    [
      "a word is being said",
      [reply, progress("t", 4, 7)],
      ["heard:One ", "saying:two", "ahead: three"],
    ],
    ["all was heard", [reply, delivered("t", "full", 13)], ["heard:One two three"]],
    [
      "it was interrupted",
      [reply, delivered("t", "partial", 4)],
      ["heard:One ", "never:two three"],
    ],
    ["none was said", [reply, delivered("t", "none")], ["never:One two three"]],
    ["nobody can tell", [reply, delivered("t", "unknown", 0)], ["unknown:One two three"]],
    [
      "progress comes after the end",
      [reply, delivered("t", "partial", 4), progress("t", 13, 13)],
      ["heard:One ", "never:two three"],
    ],
    ["it was withdrawn", [reply, { kind: "withdrawn", turnId: "t", segmentId: "t-1" }], []],
  ])("given %s", (_, messages, expected) => {
    expect(spans(told(...messages), "t")).toEqual(expected);
  });

  test("given the avatar is gone in mid-sentence then how it ended is not known", () => {
    const cut = told(generated("a", "One"), delivered("a", "full", 3), generated("b", "Two three"));
    const state = folded(cut, { kind: "avatar_gone" });

    expect(state.turns.map((turn) => deliveryOf(turn).state)).toEqual(["full", "unknown"]);
  });

  test("positions count characters as the server does, not halves of them", () => {
    const state = told(generated("t", "👋🏽 héllo 👨‍👩‍👧 you"), delivered("t", "partial", 9));

    expect(spans(state, "t")).toEqual(["heard:👋🏽 héllo ", "never:👨‍👩‍👧 you"]);
  });

  test("given sentences without spaces between them then one is drawn", () => {
    const state = told(generated("t", "One.", "s1"), generated("t", "Two.", "s2"));

    expect(spans(state, "t")).toEqual(["ahead:One. Two."]);
  });

  test("given a hole in the generated text then later positions still fit", () => {
    const state = told(
      generated("t", "One "),
      { kind: "generated", turnId: "t", segmentId: "t-1", offset: 8, text: "three" },
      delivered("t", "partial", 8),
    );

    expect(spans(state, "t").map(holesShown)).toEqual(["heard:One …", "never:three"]);
    expect(state.gaps).toBe(1);
  });
});

describe("the delivery of a turn follows from its segments", () => {
  const two = [generated("t", "One.", "t-1"), generated("t", "Two.", "s2")];
  const second = (state: "full" | "none" | "unknown"): LiveMessage => ({
    ...(delivered("t", state) as Extract<LiveMessage, { kind: "delivered" }>),
    segmentId: "s2",
  });
  test.each<[string, readonly LiveMessage[], string]>([
    ["one is still to come", [...two, delivered("t", "full", 4)], "pending"],
    ["both were heard", [...two, delivered("t", "full", 4), second("full")], "full"],
    ["the second was never said", [...two, delivered("t", "full", 4), second("none")], "partial"],
    ["the first was never said either", [...two, delivered("t", "none"), second("none")], "none"],
    ["the second is not known", [...two, delivered("t", "full", 4), second("unknown")], "unknown"],
  ])("given %s then it is %s", (_, messages, expected) => {
    expect(told(...messages).turns.map((turn) => deliveryOf(turn).state)).toEqual([expected]);
  });
});

describe("turns stand in the order in which they were heard", () => {
  test("given a reply prepared before the question was committed then the question comes first", () => {
    expect(ids(told(generated("reply", "Yes."), person("question", "Really?")))).toEqual([
      "question",
      "reply",
    ]);
  });

  test("given a reply that was begun then the words that interrupt it come after", () => {
    const state = told(
      generated("reply", "Yes, and"),
      progress("reply", 0, 3),
      person("stop", "Stop."),
    );

    expect(ids(state)).toEqual(["reply", "stop"]);
  });

  test("given the same turn twice then it stands once, with the later words", () => {
    const state = told(person("t", "Helo"), person("t", "Hello"));

    expect(state.turns).toEqual([expect.objectContaining({ turnId: "t", text: "Hello" })]);
  });
});

describe("the live topic may lose, repeat and restart", () => {
  test("given a message again then it changes nothing", () => {
    const once = folded(EMPTY, live(1, generated("t", "One")));

    expect(folded(once, live(1, generated("t", "Two")))).toBe(once);
  });

  test("given a missing number then the transcript is wanted", () => {
    const state = followed(EMPTY, live(1, person("a", "x")), live(3, person("b", "y")));

    expect(state.gaps).toBe(1);
  });

  test("given another avatar then its numbers begin anew", () => {
    const state = followed(EMPTY, live(9, person("a", "x")), live(1, person("b", "y"), "other"));

    expect([ids(state), state.gaps]).toEqual([["a", "b"], 0]);
  });

  test("given news of an unknown segment then the transcript is wanted", () => {
    expect(told(progress("t", 1, 2)).gaps).toBe(1);
  });
});

describe("words on their way", () => {
  const hearing = (text: string, utteranceId = "u"): LiveMessage => ({
    kind: "hearing",
    utteranceId,
    speaker: "p-ada",
    text,
  });

  test("given later words of an utterance then they replace the earlier ones", () => {
    expect(told(hearing("Wha"), hearing("What is")).interim.map((item) => item.text)).toEqual([
      "What is",
    ]);
  });

  test("given nothing came of it then it disappears", () => {
    expect(told(hearing("Hm"), hearing("")).interim).toEqual([]);
  });

  test("given the turn is committed then only its own interim words go", () => {
    const turn = { ...person("t", "What?"), utteranceId: "u" } as LiveMessage;

    expect(told(hearing("Wha"), hearing("other", "v"), turn).interim.map((i) => i.text)).toEqual([
      "other",
    ]);
  });

  test("given a typed message comes back as a turn then it is no longer on its way", () => {
    const typed: ConversationInput[] = [
      { kind: "typed", key: "a", text: "first" },
      { kind: "typed", key: "b", text: "second" },
      { kind: "typed_sent", key: "a" },
      { kind: "typed_sent", key: "b" },
    ];
    const back = live(1, { ...person("t", "second"), channel: "text" } as LiveMessage);

    expect(followed(EMPTY, ...typed, back).outgoing.map((item) => item.key)).toEqual(["a"]);
  });

  test("captions show the sentence up to the word being said", () => {
    const text = "Yes. It lies on the Tagus.";
    const state = told(generated("t", text), progress("t", 8, 12));

    expect(captionOf(state)).toBe("It lies");
  });
});

describe("the fetched transcript", () => {
  const served = {
    turns: [
      { turn_id: "a", speaker: "person", participant_id: "p-ada", channel: "speech", text: "Hi" },
      {
        turn_id: "b",
        speaker: "avatar",
        text: "Hello",
        generated_text: "Hello there",
        delivery: { state: "partial", how: "interrupted", evidence: "server", heard_s: 1, of_s: 2 },
      },
      { turn_id: 5, speaker: "person" },
    ],
  };
  const turns = readTranscript(served) as readonly Turn[];

  test("given a turn that cannot be read then the others are shown", () => {
    expect(turns.map((turn) => turn.turnId)).toEqual(["a", "b"]);
  });

  test("given heard and generated text then the rest was never said", () => {
    const state = folded(EMPTY, { kind: "transcript", turns });

    expect(spans(state, "b")).toEqual(["heard:Hello", "never: there"]);
  });

  test("given a reply that is being said then the live one is kept, and later turns follow", () => {
    const held = told(
      person("a", "Hi"),
      generated("b", "Hello there"),
      progress("b", 0, 5),
      person("c", "Yes?"),
    );
    const state = folded(held, { kind: "transcript", turns });

    expect([ids(state), spans(state, "b")]).toEqual([
      ["a", "b", "c"],
      ["saying:Hello", "ahead: there"],
    ]);
  });

  test.each([[undefined], [null], ["x"], [{}], [{ turns: {} }]])(
    "given %j then there is none",
    (body) => {
      expect(readTranscript(body)).toBeUndefined();
    },
  );
});

import { describe, expect, test } from "vitest";
import { type Call, type CallEvent, inCall, MOVES, moved } from "../../src/core/call";
import { callWords } from "../../src/core/wording";

const IDLE: Call = { kind: "idle" };
const CONNECTING: Call = { kind: "connecting", withAvatar: false };
const WAITING: Call = { kind: "waiting", returning: false };
const TALKING: Call = { kind: "talking" };
const BROKEN: Call = { kind: "reconnecting", withAvatar: true };
const LEFT: Call = { kind: "ended", ending: { kind: "left" } };
const NOBODY = { kind: "nobody_came" } as const;

describe("a call moves by its table", () => {
  test.each<[Call, CallEvent, Call]>([
    [IDLE, { kind: "started" }, CONNECTING],
    [CONNECTING, { kind: "joined" }, WAITING],
    [CONNECTING, { kind: "avatar_came" }, { kind: "connecting", withAvatar: true }],
    [{ kind: "connecting", withAvatar: true }, { kind: "joined" }, TALKING],
    [WAITING, { kind: "avatar_came" }, TALKING],
    [WAITING, { kind: "gave_up", absence: NOBODY }, { kind: "absent", absence: NOBODY }],
    [{ kind: "absent", absence: NOBODY }, { kind: "avatar_came" }, TALKING],
    [TALKING, { kind: "avatar_went" }, { kind: "waiting", returning: true }],
    [TALKING, { kind: "line_broke" }, BROKEN],
    [BROKEN, { kind: "line_mended" }, TALKING],
    [BROKEN, { kind: "avatar_went" }, { kind: "reconnecting", withAvatar: false }],
    [
      { kind: "reconnecting", withAvatar: false },
      { kind: "line_mended" },
      { kind: "waiting", returning: true },
    ],
    [
      TALKING,
      { kind: "closed", ending: { kind: "taken_over" } },
      { kind: "ended", ending: { kind: "taken_over" } },
    ],
    [LEFT, { kind: "started" }, CONNECTING],
    [
      { kind: "ended", ending: { kind: "lost" } },
      { kind: "server_silent" },
      { kind: "ended", ending: { kind: "server_gone" } },
    ],
    [
      { kind: "ended", ending: { kind: "server_gone" } },
      { kind: "server_answered" },
      { kind: "ended", ending: { kind: "server_back" } },
    ],
  ])("given %j when %j then %j", (call, event, expected) => {
    expect(moved(call, event)).toEqual(expected);
  });

  test.each<[Call, CallEvent]>([
    [IDLE, { kind: "avatar_came" }],
    [IDLE, { kind: "closed", ending: { kind: "lost" } }],
    [LEFT, { kind: "closed", ending: { kind: "lost" } }],
    [LEFT, { kind: "avatar_came" }],
    [LEFT, { kind: "server_silent" }],
    [LEFT, { kind: "server_answered" }],
    [TALKING, { kind: "server_silent" }],
    [LEFT, { kind: "gave_up", absence: NOBODY }],
    [TALKING, { kind: "gave_up", absence: NOBODY }],
    [TALKING, { kind: "joined" }],
    [TALKING, { kind: "started" }],
  ])("given %j when a late %j comes then nothing changes", (call, event) => {
    expect(moved(call, event)).toBe(call);
  });

  test("every state in which somebody is in a room can be closed", () => {
    const stuck = Object.entries(MOVES)
      .filter(([kind]) => inCall({ kind } as Call))
      .filter(([, moves]) => moves.closed === undefined);

    expect(stuck).toEqual([]);
  });
});

describe("every state has words and a way on", () => {
  const around = { continues: false, invited: false, avatar: "idle", parts: undefined } as const;
  const endings = [
    { kind: "left" },
    { kind: "session_ended", because: "silent" },
    { kind: "taken_over" },
    { kind: "removed" },
    { kind: "lost" },
    { kind: "server_gone" },
    { kind: "server_back" },
    { kind: "room_unreachable" },
    { kind: "unsupported" },
    { kind: "too_many", retryAfterS: 3 },
    { kind: "refused", detail: "" },
  ] as const;
  const absences = [
    { kind: "loading", part: "model-server", percent: 4 },
    { kind: "part_failed", part: "house" },
    { kind: "part_restarting", part: "house" },
    { kind: "server_gone" },
    NOBODY,
  ] as const;
  const restful: readonly Call[] = [
    IDLE,
    ...endings.map((ending): Call => ({ kind: "ended", ending })),
    ...absences.map((absence): Call => ({ kind: "absent", absence })),
  ];

  test.each(restful)("given %j", (call) => {
    const words = callWords(call, around);

    expect([words.status, words.heading, words.detail].every((text) => text.length > 3)).toBe(true);
    expect(words.actions.length).toBeGreaterThan(0);
  });

  test("no two of them are called alike", () => {
    const headings = restful.map((call) => callWords(call, around).heading);
    const twice = headings.filter((heading, at) => headings.indexOf(heading) !== at);

    expect(twice).toEqual(["The server does not answer"]);
  });
});

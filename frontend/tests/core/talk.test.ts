import { describe, expect, test } from "vitest";
import { PATIENCE_S } from "../../src/core/talk";
import { FakeKeepsake, settled } from "../fakes/ports";
import { call, microphone, talking, type Visit, visit } from "../fakes/visit";

describe("starting", () => {
  test("given a person starts then nothing was touched before, and the room is kept for a reload", async () => {
    const here = visit();
    await settled();
    expect([here.gateway.asked, here.line.done]).toEqual([[], []]);

    await here.talk.start();

    expect(here.line.done).toEqual(["join room-1", "microphone on"]);
    expect(here.keepsake.room).toEqual({ roomName: "room-1", sessionId: "s-room-1" });
    expect(call(here)).toEqual({ kind: "waiting", returning: false });
  });

  test("given a reload then the same room is entered and its transcript is shown", async () => {
    const here = visit(new FakeKeepsake({ roomName: "old", sessionId: "s-old" }));
    here.gateway.rooms.add("old");
    here.gateway.turns = [
      { kind: "person", turnId: "t", speaker: "p", channel: "speech", text: "Hi" },
    ];

    await here.talk.start();
    await settled();

    expect(here.gateway.asked).toEqual(["old", "transcript of s-old"]);
    expect(here.talk.state.get().conversation.turns).toHaveLength(1);
  });

  test("given the kept room is gone then a new one is opened", async () => {
    const here = visit(new FakeKeepsake({ roomName: "old", sessionId: "s-old" }));

    await here.talk.start();

    expect(here.gateway.asked).toEqual(["old", "a new room"]);
    expect(here.keepsake.room?.roomName).toBe("room-1");
  });

  test("given the avatar is there before the room is joined then nobody waits", async () => {
    const here = visit();

    const started = here.talk.start();
    here.line.tell({ kind: "avatar_came" });
    await started;

    expect(call(here)).toEqual({ kind: "talking" });
  });

  test.each([
    [
      "the gateway is down",
      (v: Visit) => {
        v.gateway.up = false;
      },
      { kind: "server_gone" },
    ],
    [
      "the room is out of reach",
      (v: Visit) => {
        v.line.reachable = false;
      },
      { kind: "room_unreachable" },
    ],
    [
      "the browser makes no calls",
      (v: Visit) => {
        v.line.able = false;
      },
      { kind: "unsupported" },
    ],
    [
      "there were too many attempts",
      (v: Visit) => {
        v.gateway.refuses = { kind: "too_many", retryAfterS: 9 };
      },
      { kind: "too_many", retryAfterS: 9 },
    ],
    [
      "the server refuses",
      (v: Visit) => {
        v.gateway.refuses = { kind: "refused", status: 403, detail: "Full." };
      },
      { kind: "refused", detail: "Full." },
    ],
  ])("given %s then the call ends with that reason", async (_, arrange, ending) => {
    const here = visit();
    arrange(here);

    await here.talk.start();

    expect(call(here)).toEqual({ kind: "ended", ending });
  });

  test("given somebody leaves while connecting then the room is left again", async () => {
    const here = visit();

    const started = here.talk.start();
    await here.talk.leave();
    await started;

    expect(call(here)).toEqual({ kind: "ended", ending: { kind: "left" } });
    expect(here.line.done.at(-1)).toBe("leave");
  });
});

describe("an invitation", () => {
  test("given it is good then its room is joined, whatever was kept", async () => {
    const here = visit(new FakeKeepsake({ roomName: "mine", sessionId: "s" }), "invitation=good");

    await here.talk.start();

    expect(here.line.done[0]).toBe("join theirs");
    expect(here.talk.state.get().invitation).toBeUndefined();
  });

  test("given it is not then the page says so, and another start is an ordinary one", async () => {
    const here = visit(new FakeKeepsake(), "invitation=bad");
    await here.talk.start();
    expect(call(here)).toMatchObject({ kind: "ended", ending: { kind: "refused" } });

    await here.talk.start();

    expect(here.line.done[0]).toBe("join room-1");
  });
});

describe("waiting for the avatar", () => {
  test.each([
    ["nothing is wrong", [], { kind: "nobody_came" }],
    [
      "a model is loading",
      [{ name: "model-server", state: "starting", detailCode: undefined, percent: 40 }],
      { kind: "loading", part: "model-server", percent: 40 },
    ],
    [
      "the house failed",
      [{ name: "house", state: "failed", detailCode: "exited", percent: undefined }],
      { kind: "part_failed", part: "house" },
    ],
  ] as const)("given %s when 20 s passed then the page says so", async (_, parts, absence) => {
    const here = visit();
    here.gateway.parts = parts;
    await here.talk.start();

    await here.timer.pass(PATIENCE_S - 0.1);
    expect(call(here).kind).toBe("waiting");
    await here.timer.pass(0.2);

    expect(call(here)).toEqual({ kind: "absent", absence });
  });

  test("given the gateway is gone by then then that is the reason", async () => {
    const here = visit();
    await here.talk.start();
    here.gateway.up = false;

    await here.timer.pass(PATIENCE_S);

    expect(call(here)).toEqual({ kind: "absent", absence: { kind: "server_gone" } });
  });

  test("given the reason changes then the page follows, and the avatar may still come", async () => {
    const here = visit();
    here.gateway.parts = [{ name: "m", state: "starting", detailCode: undefined, percent: 10 }];
    await here.talk.start();
    await here.timer.pass(PATIENCE_S);
    here.gateway.parts = [{ name: "m", state: "starting", detailCode: undefined, percent: 90 }];

    await here.timer.pass(PATIENCE_S);
    expect(call(here)).toEqual({
      kind: "absent",
      absence: { kind: "loading", part: "m", percent: 90 },
    });
    here.line.tell({ kind: "avatar_came" });

    expect(call(here).kind).toBe("talking");
  });

  test("given nothing was said when trying again then it is in another room", async () => {
    const here = visit();
    await here.talk.start();
    await here.timer.pass(PATIENCE_S);

    await here.talk.startAnew();

    expect(here.line.done.filter((step) => step.startsWith("join"))).toEqual([
      "join room-1",
      "join room-2",
    ]);
  });
});

describe("the line", () => {
  test("given it breaks and mends then the talk goes on and the transcript is fetched", async () => {
    const here = await talking();
    here.line.tell({ kind: "line_broke" });
    expect(call(here)).toEqual({ kind: "reconnecting", withAvatar: true });

    here.line.tell({ kind: "line_mended" });

    expect(call(here).kind).toBe("talking");
    expect(here.gateway.asked.at(-1)).toBe("transcript of s-room-1");
  });

  test("given it is lost together with the gateway then the server is gone", async () => {
    const here = await talking();
    here.gateway.up = false;

    here.line.tell({ kind: "closed", ending: { kind: "lost" } });
    await settled();

    expect(call(here)).toEqual({ kind: "ended", ending: { kind: "server_gone" } });
    expect(here.keepsake.room).toBeDefined();
  });

  test("given the server comes back then the page notices by itself", async () => {
    const here = await talking();
    here.gateway.up = false;
    here.line.tell({ kind: "closed", ending: { kind: "lost" } });
    await settled();
    here.gateway.up = true;

    await here.timer.pass(15);

    expect(call(here)).toEqual({ kind: "ended", ending: { kind: "server_back" } });
  });

  test("given another tab takes over then this one says so, and keeps the room to take it back", async () => {
    const here = await talking();

    here.line.tell({ kind: "closed", ending: { kind: "taken_over" } });

    expect(call(here)).toEqual({ kind: "ended", ending: { kind: "taken_over" } });
    expect(here.keepsake.room?.roomName).toBe("room-1");
  });

  test("given the session was announced to end then its closing is no accident", async () => {
    const here = await talking();
    here.line.say(1, "notice", { code: "session_ended", values: { reason: "silent" } });

    here.line.tell({ kind: "closed", ending: { kind: "lost" } });

    expect(call(here)).toEqual({
      kind: "ended",
      ending: { kind: "session_ended", because: "silent" },
    });
    expect(here.keepsake.room).toBeUndefined();
  });

  test("given somebody leaves then the avatar is told first and the room is forgotten", async () => {
    const here = await talking();

    await here.talk.leave();

    expect(here.line.done.slice(-2)).toEqual(["earwitness.leave", "leave"]);
    expect([call(here), here.keepsake.room]).toEqual([
      { kind: "ended", ending: { kind: "left" } },
      undefined,
    ]);
    expect(microphone(here)).toEqual({ kind: "off" });
  });
});

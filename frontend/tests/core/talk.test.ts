import { describe, expect, test } from "vitest";
import { createTalk, PATIENCE_S, type Talk } from "../../src/core/talk";
import type { Device } from "../../src/core/talkState";
import { createWatch, type Watch } from "../../src/core/watch";
import { FakeGateway, FakeKeepsake, FakeLine, ManualTimer, settled } from "../fakes/ports";

interface Visit {
  readonly gateway: FakeGateway;
  readonly line: FakeLine;
  readonly timer: ManualTimer;
  readonly keepsake: FakeKeepsake;
  readonly watch: Watch;
  readonly talk: Talk;
}

function visit(keepsake = new FakeKeepsake(), invitation?: string): Visit {
  const gateway = new FakeGateway();
  const line = new FakeLine();
  const timer = new ManualTimer();
  const watch = createWatch(gateway, timer);
  const talk = createTalk({ gateway, line, keepsake, timer, watch, invitation });
  return { gateway, line, timer, keepsake, watch, talk };
}

async function talking(): Promise<Visit> {
  const here = visit();
  await here.talk.start();
  here.line.tell({ kind: "avatar_came" });
  await settled();
  return here;
}

const call = ({ talk }: Visit) => talk.state.get().call;
const microphone = ({ talk }: Visit): Device => talk.state.get().microphone;

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

describe("devices", () => {
  test.each(["denied", "missing", "busy", "unsupported", "failed"] as const)(
    "given the microphone is %s then one can still write, and try again",
    async (trouble) => {
      const here = visit();
      here.line.microphoneReply = { ok: false, trouble };
      await here.talk.start();
      here.line.tell({ kind: "avatar_came" });
      expect(microphone(here)).toEqual({ kind: "failed", trouble });
      await here.talk.send("Hello");
      expect(here.line.done.at(-1)).toBe("write Hello");

      here.line.microphoneReply = { ok: true };
      await here.talk.openMicrophone();

      expect(microphone(here)).toEqual({ kind: "on" });
    },
  );

  test("given mute is pressed twice then the microphone is off and on", async () => {
    const here = await talking();

    await here.talk.toggleMute();
    expect(microphone(here)).toEqual({ kind: "off" });
    await here.talk.toggleMute();

    expect(microphone(here)).toEqual({ kind: "on" });
  });

  test("given the browser holds back the sound then a click frees it", async () => {
    const here = await talking();
    here.line.tell({ kind: "sound", blocked: true });
    expect(here.talk.state.get().sound).toBe("blocked");

    await here.talk.enableSound();

    expect(here.talk.state.get().sound).toBe("playing");
  });

  test("given the camera is refused then it says why", async () => {
    const here = await talking();
    here.line.cameraReply = { ok: false, trouble: "denied" };

    await here.talk.toggleCamera();

    expect(here.talk.state.get().camera).toEqual({ kind: "failed", trouble: "denied" });
  });
});

describe("push-to-talk", () => {
  async function pushing(): Promise<Visit> {
    const here = await talking();
    await here.talk.setMode("push");
    return here;
  }

  test("given the mode changes then the avatar is told and the microphone closes", async () => {
    const here = await pushing();

    expect(here.line.done).toContain('earwitness.mode {"mode":"push"}');
    expect(microphone(here)).toEqual({ kind: "off" });
  });

  test("given the button is held and let go then a turn begins and ends", async () => {
    const here = await pushing();
    const before = here.line.done.length;

    await here.talk.hold();
    expect(microphone(here)).toEqual({ kind: "on" });
    await here.talk.release(false);

    expect(here.line.done.slice(before)).toEqual([
      "earwitness.turn.start",
      "microphone on",
      "earwitness.turn.end",
      "microphone off",
    ]);
  });

  test("given Escape while holding then the turn is thrown away, once", async () => {
    const here = await pushing();
    await here.talk.hold();

    await here.talk.release(true);
    await here.talk.release(false);

    const told = here.line.done.filter((step) => step.startsWith("earwitness.turn"));
    expect(told).toEqual(["earwitness.turn.start", "earwitness.turn.cancel"]);
  });

  test("given the avatar is replaced then the new one is told the mode", async () => {
    const here = await pushing();
    here.line.tell({ kind: "avatar_went" });

    here.line.tell({ kind: "avatar_came" });

    expect(here.line.done.at(-1)).toBe('earwitness.mode {"mode":"push"}');
  });
});

describe("typing", () => {
  const outgoing = ({ talk }: Visit) => talk.state.get().conversation.outgoing;

  test("given the avatar is not there yet then the message waits for it", async () => {
    const here = visit();
    await here.talk.start();
    await here.talk.send("Hello");
    expect(outgoing(here)).toEqual([{ kind: "waiting", key: "typed-1", text: "Hello" }]);

    here.line.tell({ kind: "avatar_came" });
    await settled();
    expect(outgoing(here)[0]?.kind).toBe("sent");
    here.line.say(1, "turn", {
      turn_id: "t",
      utterance_id: null,
      speaker: "p",
      channel: "text",
      at_s: 1,
      text: "Hello",
    });

    expect(outgoing(here)).toEqual([]);
  });

  test("given it is too long then it says so, and can be sent again or discarded", async () => {
    const here = await talking();
    await here.talk.send("long");

    here.line.say(1, "notice", { code: "message_too_long", values: {} });
    expect(outgoing(here)).toEqual([
      { kind: "failed", key: "typed-1", text: "long", why: "message_too_long" },
    ]);
    await here.talk.resend("typed-1");
    expect(outgoing(here).map((item) => item.kind)).toEqual(["sent"]);
    here.talk.drop("typed-2");

    expect(outgoing(here)).toEqual([]);
  });

  test("given nobody confirms it then it does not stay on its way for ever", async () => {
    const here = await talking();
    await here.talk.send("Hello?");

    await here.timer.pass(21);

    expect(outgoing(here)[0]).toMatchObject({ kind: "failed", why: "not_confirmed" });
  });

  test("given blank text then nothing is sent", async () => {
    const here = await talking();

    await here.talk.send("  \n ");

    expect(outgoing(here)).toEqual([]);
  });
});

describe("what the avatar reports", () => {
  test("given something was lost on the way then the transcript is fetched once", async () => {
    const here = await talking();
    here.line.say(1, "state", { state: "listening" });
    here.line.say(5, "state", { state: "thinking" });
    here.line.say(9, "state", { state: "idle" });

    await here.timer.pass(2);

    expect(here.gateway.asked.filter((what) => what.startsWith("transcript"))).toHaveLength(1);
  });

  test("given a passing notice then it fades; a lasting one stays", async () => {
    const here = await talking();
    here.line.say(1, "notice", { code: "no_answer", values: {} });
    here.line.say(2, "notice", { code: "provider_failed", values: {} });

    await here.timer.pass(13);

    expect(here.talk.state.get().notices.map((notice) => notice.code)).toEqual(["provider_failed"]);
  });
});

describe("the gateway is watched", () => {
  test("given two looks in vain then it is gone, and it is noticed when it is back", async () => {
    const { gateway, timer, watch } = visit();
    await settled();
    gateway.up = false;
    await timer.pass(10);
    expect(watch.view.get().reach).toBe("reachable");
    await timer.pass(3);
    expect(watch.view.get().reach).toBe("gone");

    gateway.up = true;
    await timer.pass(3);

    expect(watch.view.get().reach).toBe("reachable");
  });

  test("given a part is starting then its progress is followed closely", async () => {
    const { gateway, timer, watch } = visit();
    gateway.parts = [{ name: "m", state: "starting", detailCode: undefined, percent: 1 }];
    await settled();
    await timer.pass(10);
    gateway.parts = [{ name: "m", state: "starting", detailCode: undefined, percent: 50 }];

    await timer.pass(2);

    expect(watch.view.get().parts?.[0]?.percent).toBe(50);
  });

  test("given the server has another build then the page is too old", async () => {
    const { gateway, timer, watch } = visit();
    await settled();
    expect(watch.view.get().newer).toBe(false);

    gateway.build = "two";
    await timer.pass(10);

    expect(watch.view.get().newer).toBe(true);
  });
});

import { describe, expect, test } from "vitest";
import { settled } from "../fakes/ports";
import { microphone, talking, type Visit, visit } from "../fakes/visit";

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

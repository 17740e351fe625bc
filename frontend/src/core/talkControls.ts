/** What a person does during a conversation: devices, push-to-talk, typing. */

import type { ConversationInput } from "./conversation";
import type { DeviceReply, Line, Timer } from "./ports";
import type { Store } from "./store";
import { type Device, type Mode, OFF, type TalkState } from "./talkState";

/** A typed message that the avatar has not confirmed for so long is called not arrived. */
const CONFIRM_S = 20;

export interface TalkControls {
  toggleMute(): Promise<void>;
  openMicrophone(): Promise<void>;
  toggleCamera(): Promise<void>;
  toggleScreen(): Promise<void>;
  enableSound(): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  hold(): Promise<void>;
  /** Ends the held turn; `canceled` throws away what was said in it. */
  release(canceled: boolean): Promise<void>;
  send(text: string): Promise<void>;
  resend(key: string): Promise<void>;
  drop(key: string): void;
}

interface Inside extends TalkControls {
  avatarCame(): void;
  /** Whether there was a message on its way that this can be about. */
  messageFailed(why: string): boolean;
}

interface Parts {
  readonly state: Store<TalkState>;
  readonly change: (part: Partial<TalkState>) => void;
  readonly fold: (input: ConversationInput) => void;
  readonly line: Line;
  readonly timer: Timer;
}

export function createTalkControls({ state, change, fold, line, timer }: Parts): Inside {
  let typed = 0;

  const openMicrophone = async (): Promise<void> => {
    change({ microphone: { kind: "asking" } });
    const reply = await line.microphone(true);
    if (reply.ok && state.get().mode === "push" && !state.get().holding) {
      await line.microphone(false);
      change({ microphone: OFF });
      return;
    }
    change({ microphone: deviceAfter(reply) });
  };

  const closeMicrophone = async (): Promise<void> => {
    await line.microphone(false);
    if (state.get().microphone.kind !== "failed") change({ microphone: OFF });
  };

  const toggle = async (
    device: "camera" | "screen",
    set: (on: boolean) => Promise<DeviceReply>,
  ): Promise<void> => {
    const on = state.get()[device].kind !== "on";
    if (state.get()[device].kind === "asking") return;
    change({ [device]: { kind: "asking" } });
    const reply = await set(on);
    change({ [device]: on ? deviceAfter(reply) : OFF });
  };

  const deliver = async (key: string, text: string): Promise<void> => {
    if (!(await line.write(text))) {
      fold({ kind: "typed_failed", key, why: "not_sent" });
      return;
    }
    fold({ kind: "typed_sent", key });
    timer.after(CONFIRM_S, () => {
      const mine = state.get().conversation.outgoing.find((item) => item.key === key);
      if (mine?.kind === "sent") fold({ kind: "typed_failed", key, why: "not_confirmed" });
    });
  };

  const deliverWaiting = (): void => {
    for (const item of state.get().conversation.outgoing) {
      if (item.kind === "waiting") void deliver(item.key, item.text);
    }
  };

  const send = async (text: string): Promise<void> => {
    if (text.trim() === "") return;
    typed += 1;
    const key = `typed-${typed}`;
    fold({ kind: "typed", key, text });
    if (state.get().call.kind === "talking") await deliver(key, text);
  };

  const tellMode = async (): Promise<void> => {
    await line.ask("earwitness.mode", JSON.stringify({ mode: state.get().mode }));
  };

  const release = async (canceled: boolean): Promise<void> => {
    if (!state.get().holding) return;
    change({ holding: false });
    await line.ask(canceled ? "earwitness.turn.cancel" : "earwitness.turn.end", "");
    if (!state.get().holding) await closeMicrophone();
  };

  return {
    openMicrophone,
    toggleMute: () => (state.get().microphone.kind === "on" ? closeMicrophone() : openMicrophone()),
    toggleCamera: () => toggle("camera", line.camera),
    toggleScreen: () => toggle("screen", line.screen),
    enableSound: async () => {
      if (await line.sound()) change({ sound: "playing" });
    },
    setMode: async (mode) => {
      if (mode === state.get().mode) return;
      if (state.get().holding) await release(false);
      change({ mode });
      if (state.get().call.kind === "talking") await tellMode();
      if (state.get().microphone.kind === "failed") return;
      await (mode === "open" ? openMicrophone() : closeMicrophone());
    },
    hold: async () => {
      const now = state.get();
      if (now.holding || now.mode !== "push" || now.call.kind !== "talking") return;
      change({ holding: true });
      void line.ask("earwitness.turn.start", "");
      await openMicrophone();
      if (!state.get().holding) await closeMicrophone();
    },
    release,
    send,
    resend: async (key) => {
      const item = state.get().conversation.outgoing.find((other) => other.key === key);
      if (item?.kind !== "failed") return;
      fold({ kind: "typed_dropped", key });
      await send(item.text);
    },
    drop: (key) => fold({ kind: "typed_dropped", key }),
    avatarCame: () => {
      if (state.get().mode === "push") void tellMode();
      deliverWaiting();
    },
    messageFailed: (why) => {
      const oldest = state.get().conversation.outgoing.find((item) => item.kind === "sent");
      if (oldest !== undefined) fold({ kind: "typed_failed", key: oldest.key, why });
      return oldest !== undefined;
    },
  };
}

function deviceAfter(reply: DeviceReply): Device {
  return reply.ok ? { kind: "on" } : { kind: "failed", trouble: reply.trouble };
}

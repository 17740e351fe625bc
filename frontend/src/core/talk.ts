/**
 * One person's use of the talk page, from "Start talking" to "Leave", over ports.
 *
 * It owns the order of things: ask for a token, join, open the microphone, wait for the avatar,
 * and give up waiting with the reason. What a state is lives in `call.ts`; what was said, in
 * `conversation.ts`.
 */

import { type CallEvent, type Ending, inCall, moved } from "./call";
import { type ConversationInput, EMPTY, folded } from "./conversation";
import { id } from "./decode";
import { absenceOf } from "./houseStatus";
import { LASTING, MESSAGE_TROUBLE, noticed, withoutSilence } from "./notices";
import type { Gateway, Grant, Keepsake, Line, Problem, RoomEvent, Timer } from "./ports";
import { createStore, type Readable } from "./store";
import { createTalkControls, type TalkControls } from "./talkControls";
import { AT_REST, OFF, type TalkState } from "./talkState";
import type { Watch } from "./watch";
import { readLive } from "./wire";

/** How long a person waits for the avatar before being told why it does not come. */
export const PATIENCE_S = 20;
const NOTICE_S = 12;
const REFETCH_S = 1;
const UNINVITED =
  "The invitation is not valid any more: it was taken back, has expired, or was copied in part.";

export interface Talk extends TalkControls {
  readonly state: Readable<TalkState>;
  /** Joins the room kept in this tab, or a new one. */
  start(): Promise<void>;
  /** After waiting in vain: another attempt, in a new room if nothing was said in this one. */
  startAnew(): Promise<void>;
  leave(): Promise<void>;
  /** Forgets the kept room, so that the next start opens a new conversation. */
  forget(): void;
  /** Shows what was said so far in the kept room. */
  recall(): Promise<void>;
  dismiss(notice: number): void;
  close(): void;
}

export interface TalkPorts {
  readonly gateway: Gateway;
  readonly line: Line;
  readonly keepsake: Keepsake;
  readonly timer: Timer;
  readonly watch: Watch;
  /** The invitation with which this page was opened. */
  readonly invitation: string | undefined;
}

export function createTalk(ports: TalkPorts): Talk {
  const { gateway, line, keepsake, timer, watch, invitation } = ports;
  const state = createStore<TalkState>({ ...AT_REST, room: keepsake.read(), invitation });
  let stopWaiting: () => void = () => undefined;
  let stopRefetch: (() => void) | undefined;
  let announced: Extract<Ending, { kind: "session_ended" }> | undefined;
  let notices = 0;
  let answered = watch.view.get().answers;

  const change = (part: Partial<TalkState>): void => state.update((now) => ({ ...now, ...part }));
  const fold = (input: ConversationInput): void => {
    const before = state.get().conversation;
    const conversation = folded(before, input);
    change({ conversation });
    if (conversation.gaps > before.gaps) refetchSoon();
  };
  const controls = createTalkControls({ state, change, fold, line, timer });

  const move = (event: CallEvent): void => {
    const before = state.get().call;
    const call = moved(before, event);
    if (call === before) return;
    change({ call });
    stopWaiting();
    if (call.kind === "waiting") stopWaiting = timer.after(PATIENCE_S, giveUp);
    if (call.kind === "talking") controls.avatarCame();
    if (call.kind === "ended") atRest();
  };

  const giveUp = (): void => {
    void watch.look().then((answered) => {
      const call = state.get().call;
      if (call.kind !== "waiting" && call.kind !== "absent") return;
      const absence = answered
        ? absenceOf(watch.view.get().parts)
        : { kind: "server_gone" as const };
      move({ kind: "gave_up", absence });
      stopWaiting = timer.after(PATIENCE_S / 4, giveUp);
    });
  };

  const atRest = (): void => {
    announced = undefined;
    fold({ kind: "avatar_gone" });
    change({ microphone: OFF, camera: OFF, screen: OFF, holding: false, faceShown: false });
    change({ sound: "playing" });
  };

  const keep = (room: TalkState["room"]): void => {
    keepsake.write(room);
    change({ room });
  };

  const refetchSoon = (): void => {
    stopRefetch ??= timer.after(REFETCH_S, () => {
      stopRefetch = undefined;
      void recall();
    });
  };

  const recall = async (): Promise<void> => {
    const sessionId = state.get().room?.sessionId;
    if (sessionId === undefined) return;
    const reply = await gateway.transcript(sessionId);
    if (reply.ok && state.get().room?.sessionId === sessionId) {
      fold({ kind: "transcript", turns: reply.value });
    } else if (!reply.ok && reply.problem.kind === "not_found" && !inCall(state.get().call)) {
      forget();
    }
  };

  const forget = (): void => {
    keep(undefined);
    change({ conversation: EMPTY, notices: [] });
  };

  const takeUpInvitation = async (link: string): Promise<Problem | undefined> => {
    const reply = await gateway.redeem(link);
    if (!reply.ok && reply.problem.kind === "unreachable") return reply.problem;
    change({ invitation: undefined });
    if (!reply.ok) return { kind: "refused", status: 410, detail: UNINVITED };
    change({ conversation: EMPTY });
    keep(reply.value);
    await recall();
    return undefined;
  };

  const grant = async (): Promise<Grant | Problem> => {
    const link = state.get().invitation;
    const refusal = link === undefined ? undefined : await takeUpInvitation(link);
    if (refusal !== undefined) return refusal;
    const kept = state.get().room;
    const first = await gateway.grant(kept?.roomName);
    if (first.ok) return first.value;
    if (first.problem.kind !== "not_found" || kept === undefined) return first.problem;
    forget();
    const second = await gateway.grant(undefined);
    return second.ok ? second.value : second.problem;
  };

  const start = async (): Promise<void> => {
    if (inCall(state.get().call)) return;
    change({ notices: [] });
    move({ kind: "started" });
    if (!line.supported()) {
      move({ kind: "closed", ending: { kind: "unsupported" } });
      return;
    }
    const granted = await grant();
    if ("kind" in granted) {
      move({ kind: "closed", ending: endingOf(granted) });
      return;
    }
    const continued = state.get().room?.roomName === granted.roomName;
    if (!continued) change({ conversation: EMPTY });
    keep({ roomName: granted.roomName, sessionId: granted.sessionId });
    if (!(await line.join(granted))) {
      move({ kind: "closed", ending: { kind: "room_unreachable" } });
      return;
    }
    if (state.get().call.kind !== "connecting") {
      await line.leave();
      return;
    }
    move({ kind: "joined" });
    if (continued) void recall();
    await controls.openMicrophone();
  };

  const startAnew = async (): Promise<void> => {
    move({ kind: "closed", ending: { kind: "left" } });
    if (state.get().conversation.turns.length === 0) forget();
    await start();
  };

  const leave = async (): Promise<void> => {
    if (!inCall(state.get().call)) return;
    const farewell = state.get().call.kind === "talking";
    move({ kind: "closed", ending: { kind: "left" } });
    keepsake.write(undefined);
    change({ room: undefined });
    if (farewell) await line.ask("earwitness.leave", "");
    await line.leave();
  };

  const hear = (event: RoomEvent): void => {
    switch (event.kind) {
      case "avatar_went":
        fold({ kind: "avatar_gone" });
        move(event);
        return;
      case "avatar_state":
        fold(event);
        return;
      case "line_mended":
        move(event);
        void recall();
        return;
      case "avatar_came":
      case "line_broke":
        move(event);
        return;
      case "closed":
        void closed(event.ending);
        return;
      case "message":
        message(event.sender, event.json);
        return;
      case "sound":
        change({ sound: event.blocked ? "blocked" : "playing" });
        return;
      case "face":
        change({ faceShown: event.shown });
        return;
      case "microphone_lost":
        change({ microphone: { kind: "failed", trouble: "missing" }, holding: false });
        return;
      case "camera":
        change({ camera: event.on ? { kind: "on" } : OFF });
        return;
      case "screen":
        change({ screen: event.on ? { kind: "on" } : OFF });
        return;
      case "people":
        change({ names: event.names });
        return;
    }
  };

  const closed = async (why: Ending): Promise<void> => {
    if (!inCall(state.get().call)) return;
    const final: Ending = why.kind === "taken_over" ? why : (announced ?? why);
    if (final.kind === "session_ended") keep(undefined);
    move({ kind: "closed", ending: final });
    if (final.kind === "lost" && !(await watch.look())) move({ kind: "server_silent" });
  };

  const stopWatching = watch.view.subscribe(() => {
    const { answers } = watch.view.get();
    if (answers > answered) move({ kind: "server_answered" });
    answered = answers;
  });

  const message = (sender: string, json: string): void => {
    const reading = readLive(json);
    if (reading.kind === "unknown") return;
    if (reading.kind === "unreadable") {
      refetchSoon();
      return;
    }
    fold({ kind: "live", sender, seq: reading.seq, message: reading.message });
    if (reading.message.kind === "notice") notice(reading.message.code, reading.message.values);
    if (reading.message.kind === "turn") {
      change({ notices: withoutSilence(state.get().notices) });
    }
  };

  const notice = (code: string, values: Readonly<Record<string, unknown>>): void => {
    if (code === "session_ended") {
      announced = { kind: "session_ended", because: id(values.reason) };
    }
    if (MESSAGE_TROUBLE.includes(code) && controls.messageFailed(code)) return;
    notices += 1;
    const key = notices;
    change({ notices: noticed(state.get().notices, key, code, values) });
    if (!LASTING.includes(code)) timer.after(NOTICE_S, () => dismiss(key));
  };

  const dismiss = (key: number): void =>
    change({ notices: state.get().notices.filter((item) => item.key !== key) });

  const unlisten = line.listen(hear);

  return {
    ...controls,
    state,
    start,
    startAnew,
    leave,
    forget,
    recall,
    dismiss,
    close: () => {
      unlisten();
      stopWatching();
      stopWaiting();
      stopRefetch?.();
      void line.leave();
    },
  };
}

function endingOf(problem: Problem): Ending {
  switch (problem.kind) {
    case "unreachable":
      return { kind: "server_gone" };
    case "too_many":
      return { kind: "too_many", retryAfterS: problem.retryAfterS };
    case "refused":
      return { kind: "refused", detail: problem.detail };
    case "stranger":
      return { kind: "refused", detail: "" };
    case "not_found":
    case "unreadable":
      return { kind: "refused", detail: "" };
  }
}

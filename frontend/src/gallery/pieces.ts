/** Small parts from which the scenes of the gallery are made. */

import { type Conversation, type ConversationInput, EMPTY, folded } from "../core/conversation";
import { createStore } from "../core/store";
import { AT_REST, type TalkState } from "../core/talkState";
import type { HouseView } from "../core/watch";
import type { Who } from "../core/who";
import type { LiveMessage } from "../core/wire";
import type { Devices } from "../hooks/useDevices";
import type { TalkActions, TalkViewProps } from "../pages/TalkView";

export const ADA: Who = { kind: "known", person: { personId: "p-ada", name: "Ada" } };

export const RUNNING: HouseView = {
  reach: "reachable",
  answers: 1,
  newer: false,
  parts: [
    { name: "livekit-server", state: "running", detailCode: undefined, percent: undefined },
    { name: "model-server", state: "running", detailCode: undefined, percent: undefined },
    { name: "house", state: "running", detailCode: undefined, percent: undefined },
  ],
};

export const DEVICES: Devices = {
  lists: [
    {
      kind: "audioinput",
      choices: [
        { deviceId: "m1", label: "Built-in microphone" },
        { deviceId: "m2", label: "Headset" },
      ],
      chosen: "m1",
    },
    { kind: "audiooutput", choices: [{ deviceId: "s1", label: "Loudspeakers" }], chosen: "s1" },
    { kind: "videoinput", choices: [{ deviceId: "c1", label: "Camera" }], chosen: "c1" },
  ],
  screenOffered: true,
  choose: () => undefined,
};

const nothing = (): void => undefined;

export const INERT: TalkActions = {
  act: nothing,
  begin: nothing,
  choosePerson: nothing,
  signOut: nothing,
  startFresh: nothing,
  lookAgain: nothing,
  openMicrophone: nothing,
  enableSound: nothing,
  send: nothing,
  resend: nothing,
  drop: nothing,
  dismiss: nothing,
  toggleMute: nothing,
  toggleCamera: nothing,
  toggleScreen: nothing,
  toggleMode: nothing,
  toggleCaptions: nothing,
  hold: nothing,
  release: nothing,
  leave: nothing,
};

/** A conversation in which these live messages came, one after the other. */
export function told(...messages: readonly LiveMessage[]): Conversation {
  return messages.reduce(
    (state, message, at) => folded(state, { kind: "live", sender: "a", seq: at + 1, message }),
    EMPTY,
  );
}

export function followed(
  state: Conversation,
  ...inputs: readonly ConversationInput[]
): Conversation {
  return inputs.reduce(folded, state);
}

export function person(turnId: string, text: string, speaker = "p-ada"): LiveMessage {
  return { kind: "turn", turnId, utteranceId: undefined, speaker, channel: "speech", atS: 0, text };
}

export function generated(turnId: string, text: string, segmentId = `${turnId}-1`): LiveMessage {
  return { kind: "generated", turnId, segmentId, offset: 0, text };
}

export function delivered(
  turnId: string,
  state: "full" | "partial" | "none" | "unknown",
  heardChars = 0,
): LiveMessage {
  const how = state === "full" ? "finished" : state === "unknown" ? "vanished" : "interrupted";
  const segmentId = `${turnId}-1`;
  const evidence = state === "unknown" ? "unknown" : "server";
  return {
    kind: "delivered",
    turnId,
    segmentId,
    state,
    how,
    evidence,
    heardChars,
    heardS: 1,
    ofS: 2,
  };
}

export function progress(turnId: string, heardChars: number, sayingChars: number): LiveMessage {
  const segmentId = `${turnId}-1`;
  return { kind: "progress", turnId, segmentId, heardChars, sayingChars, playing: true };
}

export function scene(
  state: Partial<TalkState>,
  rest: Partial<Pick<TalkViewProps, "who" | "house" | "captions">> = {},
): TalkViewProps {
  return {
    who: ADA,
    house: RUNNING,
    captions: false,
    ...rest,
    state: { ...AT_REST, ...state },
    level: createStore(state.microphone?.kind === "on" ? 7 : 0),
    devices: DEVICES,
    hangFace: () => nothing,
    hangSelf: () => nothing,
    actions: INERT,
  };
}

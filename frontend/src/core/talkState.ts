/** Everything the talk page shows about one conversation, as one value. */

import type { Call } from "./call";
import { type Conversation, EMPTY } from "./conversation";
import type { Notice } from "./notices";
import type { DeviceTrouble, RoomRef } from "./ports";

export type Device =
  | { readonly kind: "off" }
  | { readonly kind: "asking" }
  | { readonly kind: "on" }
  | { readonly kind: "failed"; readonly trouble: DeviceTrouble };

/** Who opens the microphone: the page all the time, or the person by holding a button. */
export type Mode = "open" | "push";

export interface TalkState {
  readonly call: Call;
  readonly microphone: Device;
  readonly camera: Device;
  readonly screen: Device;
  readonly sound: "playing" | "blocked";
  readonly faceShown: boolean;
  readonly mode: Mode;
  /** The talk button is held (push-to-talk). */
  readonly holding: boolean;
  readonly conversation: Conversation;
  readonly notices: readonly Notice[];
  readonly room: RoomRef | undefined;
  /** An invitation that was opened in this tab and not yet taken up. */
  readonly invitation: string | undefined;
  /** Names of the people in the room, by participant. */
  readonly names: Readonly<Record<string, string>>;
}

export const OFF: Device = { kind: "off" };

export const AT_REST: TalkState = {
  call: { kind: "idle" },
  microphone: OFF,
  camera: OFF,
  screen: OFF,
  sound: "playing",
  faceShown: false,
  mode: "open",
  holding: false,
  conversation: EMPTY,
  notices: [],
  room: undefined,
  invitation: undefined,
  names: {},
};

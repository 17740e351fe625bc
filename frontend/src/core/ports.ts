/** What the talk page needs from outside: the gateway, the room, the browser. Faked in tests. */

import type { Ending } from "./call";
import type { Part } from "./houseStatus";
import type { Turn } from "./turns";
import type { AvatarState } from "./wire";

export interface Person {
  readonly personId: string;
  readonly name: string;
}

export type Problem =
  | { readonly kind: "unreachable" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "stranger" }
  | { readonly kind: "not_found" }
  | { readonly kind: "too_many"; readonly retryAfterS: number | undefined }
  | { readonly kind: "refused"; readonly status: number; readonly detail: string };

export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** The key to one room, valid for a quarter of an hour. */
export interface Grant {
  readonly serverUrl: string;
  readonly token: string;
  readonly roomName: string;
  readonly sessionId: string | undefined;
}

/** A room and the session in it, as this tab remembers them. */
export interface RoomRef {
  readonly roomName: string;
  readonly sessionId: string | undefined;
}

/** The gateway. No method throws or rejects. */
export interface Gateway {
  me(): Promise<Reply<Person>>;
  people(): Promise<Reply<readonly Person[]>>;
  signIn(who: { name: string } | { personId: string }): Promise<Reply<Person>>;
  signOut(): Promise<boolean>;
  /** Takes up an invitation; `link` is the address or what stands behind its "#". */
  redeem(link: string): Promise<Reply<RoomRef>>;
  grant(roomName: string | undefined): Promise<Reply<Grant>>;
  transcript(sessionId: string): Promise<Reply<readonly Turn[]>>;
  status(): Promise<Reply<readonly Part[]>>;
  /** Name of what the server serves, as its latest answer said; undefined when it did not. */
  servedBuild(): string | undefined;
}

export type DeviceTrouble = "denied" | "missing" | "busy" | "unsupported" | "failed";

export type DeviceReply =
  | { readonly ok: true }
  | { readonly ok: false; readonly trouble: DeviceTrouble };

export type RoomEvent =
  | { readonly kind: "avatar_came" }
  | { readonly kind: "avatar_went" }
  | { readonly kind: "avatar_state"; readonly state: AvatarState }
  | { readonly kind: "line_broke" }
  | { readonly kind: "line_mended" }
  | { readonly kind: "closed"; readonly ending: Ending }
  | { readonly kind: "message"; readonly sender: string; readonly json: string }
  | { readonly kind: "sound"; readonly blocked: boolean }
  | { readonly kind: "face"; readonly shown: boolean }
  | { readonly kind: "microphone_lost" }
  | { readonly kind: "camera"; readonly on: boolean }
  | { readonly kind: "screen"; readonly on: boolean }
  | { readonly kind: "people"; readonly names: Readonly<Record<string, string>> };

export type AvatarMethod =
  | "earwitness.leave"
  | "earwitness.mode"
  | "earwitness.turn.start"
  | "earwitness.turn.end"
  | "earwitness.turn.cancel";

/** One connection to a LiveKit room. No method throws or rejects. */
export interface Line {
  listen(listener: (event: RoomEvent) => void): () => void;
  /** Whether this browser can make calls at all. */
  supported(): boolean;
  join(grant: Grant): Promise<boolean>;
  leave(): Promise<void>;
  microphone(on: boolean): Promise<DeviceReply>;
  camera(on: boolean): Promise<DeviceReply>;
  screen(on: boolean): Promise<DeviceReply>;
  write(text: string): Promise<boolean>;
  ask(method: AvatarMethod, payload: string): Promise<boolean>;
  /** Starts playing what the browser held back; must be called from a click. */
  sound(): Promise<boolean>;
}

/** What outlives a reload of this tab. */
export interface Keepsake {
  read(): RoomRef | undefined;
  write(room: RoomRef | undefined): void;
}

/** Waiting. `after` returns how to call it off. */
export interface Timer {
  after(seconds: number, then: () => void): () => void;
}

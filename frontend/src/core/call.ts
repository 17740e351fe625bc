/**
 * The states of a call, as one table. Everything that moves a call between states lives here.
 *
 * An event that means nothing in a state changes nothing: callbacks of a room arrive late.
 */

/** Why the avatar has not come. `part` names what the server reports. */
export type Absence =
  | { readonly kind: "loading"; readonly part: string; readonly percent: number | undefined }
  | { readonly kind: "part_failed"; readonly part: string }
  | { readonly kind: "part_restarting"; readonly part: string }
  | { readonly kind: "server_gone" }
  | { readonly kind: "nobody_came" };

export type Ending =
  | { readonly kind: "left" }
  | { readonly kind: "session_ended"; readonly because: string | undefined }
  | { readonly kind: "taken_over" }
  | { readonly kind: "removed" }
  | { readonly kind: "lost" }
  | { readonly kind: "server_gone" }
  | { readonly kind: "server_back" }
  | { readonly kind: "room_unreachable" }
  | { readonly kind: "unsupported" }
  | { readonly kind: "too_many"; readonly retryAfterS: number | undefined }
  | { readonly kind: "refused"; readonly detail: string };

export type Call =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting"; readonly withAvatar: boolean }
  | { readonly kind: "waiting"; readonly returning: boolean }
  | { readonly kind: "absent"; readonly absence: Absence }
  | { readonly kind: "talking" }
  | { readonly kind: "reconnecting"; readonly withAvatar: boolean }
  | { readonly kind: "ended"; readonly ending: Ending };

export type CallEvent =
  | { kind: "started" }
  | { kind: "joined" }
  | { kind: "avatar_came" }
  | { kind: "avatar_went" }
  | { kind: "gave_up"; absence: Absence }
  | { kind: "line_broke" }
  | { kind: "line_mended" }
  | { kind: "closed"; ending: Ending }
  | { kind: "server_answered" }
  | { kind: "server_silent" };

type Moves = { readonly [E in CallEvent["kind"]]?: (event: Of<E>, call: Call) => Call };
type Of<E extends CallEvent["kind"]> = Extract<CallEvent, { kind: E }>;

const closes = (event: Of<"closed">): Call => ({ kind: "ended", ending: event.ending });
const breaks = (): Call => ({ kind: "reconnecting", withAvatar: false });
const talks = (): Call => ({ kind: "talking" });

export const MOVES: { readonly [K in Call["kind"]]: Moves } = {
  idle: { started: () => ({ kind: "connecting", withAvatar: false }) },
  connecting: {
    avatar_came: () => ({ kind: "connecting", withAvatar: true }),
    joined: (_, call) =>
      hasAvatar(call) ? { kind: "talking" } : { kind: "waiting", returning: false },
    closed: closes,
  },
  waiting: {
    avatar_came: talks,
    gave_up: (event) => ({ kind: "absent", absence: event.absence }),
    line_broke: breaks,
    closed: closes,
  },
  absent: {
    avatar_came: talks,
    gave_up: (event) => ({ kind: "absent", absence: event.absence }),
    line_broke: breaks,
    closed: closes,
  },
  talking: {
    avatar_went: () => ({ kind: "waiting", returning: true }),
    line_broke: () => ({ kind: "reconnecting", withAvatar: true }),
    closed: closes,
  },
  reconnecting: {
    avatar_came: () => ({ kind: "reconnecting", withAvatar: true }),
    avatar_went: () => ({ kind: "reconnecting", withAvatar: false }),
    line_mended: (_, call) =>
      hasAvatar(call) ? { kind: "talking" } : { kind: "waiting", returning: true },
    closed: closes,
  },
  ended: {
    started: () => ({ kind: "connecting", withAvatar: false }),
    server_silent: (_, call) =>
      endedWith(call, "lost") ? { kind: "ended", ending: { kind: "server_gone" } } : call,
    server_answered: (_, call) =>
      endedWith(call, "server_gone") ? { kind: "ended", ending: { kind: "server_back" } } : call,
  },
};

function endedWith(call: Call, kind: Ending["kind"]): boolean {
  return call.kind === "ended" && call.ending.kind === kind;
}

function hasAvatar(call: Call): boolean {
  return "withAvatar" in call && call.withAvatar;
}

export function moved(call: Call, event: CallEvent): Call {
  const move = MOVES[call.kind][event.kind] as ((event: CallEvent, call: Call) => Call) | undefined;
  return move === undefined ? call : move(event, call);
}

/** Whether this page is, or is about to be, in a room. */
export function inCall(call: Call): boolean {
  return call.kind !== "idle" && call.kind !== "ended";
}

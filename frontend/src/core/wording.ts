/** What each state of the call is called, what it means, and the way on. All words, no drawing. */

import { assertNever } from "./assertNever";
import type { Absence, Call, Ending } from "./call";
import type { Part } from "./houseStatus";
import { absenceOf } from "./houseStatus";
import type { AvatarState } from "./wire";

/** A way on, offered as a button. */
export type Action = "start" | "start_anew" | "reload" | "check_again";

export interface Words {
  /** Short, for the status line. */
  readonly status: string;
  readonly heading: string;
  readonly detail: string;
  readonly actions: readonly Action[];
  /** Something is under way, and waiting is right. */
  readonly busy: boolean;
  readonly percent: number | undefined;
}

const PART_NAMES: Readonly<Record<string, string>> = {
  livekit: "the media server",
  livekit_server: "the media server",
  "livekit-server": "the media server",
  model_server: "the language model",
  "model-server": "the language model",
  models: "the models",
  house: "the avatar’s house",
  worker: "the avatar’s worker",
  gateway: "the gateway",
  face: "the face",
  ears: "the speech recogniser",
  recogniser: "the speech recogniser",
  voice: "the voice",
  synthesiser: "the voice",
};

export function partName(part: string): string {
  return PART_NAMES[part] ?? `“${part}”`;
}

export function actionName(action: Action): string {
  switch (action) {
    case "start":
      return "Start talking";
    case "start_anew":
      return "Try again";
    case "reload":
      return "Reload the page";
    case "check_again":
      return "Check again";
    default:
      return assertNever(action);
  }
}

function words(
  status: string,
  heading: string,
  detail: string,
  rest: { actions?: readonly Action[]; busy?: boolean; percent?: number | undefined } = {},
): Words {
  const { actions = [], busy = false, percent } = rest;
  return { status, heading, detail, actions, busy, percent };
}

export interface Circumstances {
  /** There is a conversation in this tab that a start would continue. */
  readonly continues: boolean;
  /** The page was opened with an invitation. */
  readonly invited: boolean;
  readonly avatar: AvatarState;
  readonly parts: readonly Part[] | undefined;
}

export function callWords(call: Call, around: Circumstances): Words {
  switch (call.kind) {
    case "idle":
      return idleWords(around);
    case "connecting":
      return words("Connecting…", "Connecting", "Opening the room and your microphone.", {
        busy: true,
      });
    case "waiting":
      return waitingWords(call.returning, around.parts);
    case "absent":
      return absentWords(call.absence);
    case "talking":
      return words(avatarWord(around.avatar), "", "");
    case "reconnecting":
      return words(
        "Reconnecting…",
        "The line broke",
        "Reconnecting by itself. What was said so far is kept.",
        { busy: true },
      );
    case "ended":
      return endedWords(call.ending);
    default:
      return assertNever(call);
  }
}

function avatarWord(state: AvatarState): string {
  switch (state) {
    case "idle":
      return "Here";
    case "listening":
      return "Listening";
    case "thinking":
      return "Thinking…";
    case "speaking":
      return "Speaking";
    default:
      return assertNever(state);
  }
}

function idleWords({ continues, invited, parts }: Circumstances): Words {
  const absence = absenceOf(parts);
  if (absence.kind === "loading") {
    return words(
      "Getting ready",
      "Almost there",
      `Loading ${partName(absence.part)}${share(absence.percent)}. You can start already; the first answer may take longer.`,
      { actions: ["start"], percent: absence.percent },
    );
  }
  if (invited) {
    return words(
      "Ready",
      "You are invited",
      "Somebody wants you in a conversation. Starting joins it.",
      { actions: ["start"] },
    );
  }
  return continues
    ? words(
        "Ready",
        "Pick up where you were",
        "Your conversation in this tab is still open. Starting again continues it.",
        { actions: ["start"] },
      )
    : words(
        "Ready",
        "Say hello",
        "Speak as you would to a person. You can interrupt at any time.",
        { actions: ["start"] },
      );
}

function share(percent: number | undefined): string {
  return percent === undefined ? "" : ` (${percent} %)`;
}

function waitingWords(returning: boolean, parts: readonly Part[] | undefined): Words {
  const absence = absenceOf(parts);
  if (absence.kind === "loading") {
    return words(
      "Loading models…",
      "Loading models",
      `Loading ${partName(absence.part)}${share(absence.percent)}. The conversation begins as soon as it is there.`,
      { busy: true, percent: absence.percent },
    );
  }
  return returning
    ? words(
        "Waiting for the avatar…",
        "The avatar dropped out",
        "It is being replaced and will join again. What was said so far is kept.",
        { busy: true },
      )
    : words(
        "Waiting for the avatar…",
        "Waiting for the avatar",
        "It was called and is on its way.",
        {
          busy: true,
        },
      );
}

function absentWords(absence: Absence): Words {
  const actions: readonly Action[] = ["start_anew"];
  const status = "The avatar is not here";
  switch (absence.kind) {
    case "loading":
      return words(
        "Loading models…",
        "Still loading models",
        `Loading ${partName(absence.part)}${share(absence.percent)} takes longer than usual. It joins by itself when it is ready.`,
        { actions, busy: true, percent: absence.percent },
      );
    case "part_failed":
      return words(
        status,
        "The avatar cannot come",
        `${sentence(partName(absence.part))} failed to start. “earwitness doctor” on that machine says how to mend it.`,
        { actions },
      );
    case "part_restarting":
      return words(
        status,
        "The avatar is late",
        `${sentence(partName(absence.part))} stopped and is being restarted. It joins by itself when it is back.`,
        { actions, busy: true },
      );
    case "server_gone":
      return words(
        status,
        "The server does not answer",
        "Earwitness seems to have been stopped. Start it again with “earwitness up”, then try again.",
        { actions },
      );
    case "nobody_came":
      return words(
        status,
        "The avatar did not come",
        "Everything reports to be running, but no avatar joined within 20 seconds. Its worker may be busy or not running.",
        { actions },
      );
    default:
      return assertNever(absence);
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function endedWords(ending: Ending): Words {
  const again: readonly Action[] = ["start"];
  switch (ending.kind) {
    case "left":
      return words("You left", "Until next time", "The conversation is kept.", { actions: again });
    case "session_ended":
      return words(
        "Conversation ended",
        "The conversation has ended",
        closedBecause(ending.because),
        {
          actions: again,
        },
      );
    case "taken_over":
      return words(
        "Open in another tab",
        "This conversation moved to another tab",
        "You are in the room from another tab or window now. Starting here brings it back.",
        { actions: again },
      );
    case "removed":
      return words(
        "Removed from the room",
        "You were removed from the room",
        "Your access to this conversation was withdrawn. You can begin a new one.",
        { actions: again },
      );
    case "lost":
      return words(
        "Disconnected",
        "The line is lost",
        "The connection to the room could not be restored. What was said so far is kept.",
        { actions: again },
      );
    case "server_gone":
      return words(
        "Server gone",
        "The server does not answer",
        "Earwitness seems to have been stopped, or this machine has no network. This page notices when it is back.",
        { actions: ["start", "check_again"] },
      );
    case "server_back":
      return words("Ready", "The server is back", "You can go on where you were.", {
        actions: again,
      });
    case "room_unreachable":
      return words(
        "Could not connect",
        "The room cannot be reached",
        "The page is served, but its media server does not answer. A firewall or a VPN may be in the way, or it is still starting.",
        { actions: again },
      );
    case "unsupported":
      return words(
        "Browser not supported",
        "This browser cannot make calls",
        "It offers no real-time audio (WebRTC). A current Chrome, Edge, Firefox or Safari does.",
        { actions: ["reload"] },
      );
    case "too_many":
      return words(
        "Too many attempts",
        "One moment",
        ending.retryAfterS === undefined
          ? "There were too many attempts. Wait a little, then try again."
          : `There were too many attempts. Try again in ${ending.retryAfterS} seconds.`,
        { actions: again },
      );
    case "refused":
      return words(
        "Not admitted",
        "The server said no",
        ending.detail === "" ? "It did not admit this page to a room." : ending.detail,
        { actions: ["start", "reload"] },
      );
    default:
      return assertNever(ending);
  }
}

function closedBecause(reason: string | undefined): string {
  switch (reason) {
    case "silent":
      return "Nothing was said for a long time, so it was closed. You can begin a new one.";
    case "stopped":
      return "The avatar was told to stop. You can begin a new one.";
    case "failed":
      return "A part of the avatar failed. What was said so far is kept; you can begin a new one.";
    default:
      return "The avatar closed it. You can begin a new one.";
  }
}

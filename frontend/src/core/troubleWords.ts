/** Words for what may go wrong beside a running conversation: devices, sound, messages, providers. */

import { assertNever } from "./assertNever";
import { type Fields, id, real } from "./decode";
import type { DeviceTrouble } from "./ports";
import { safeName } from "./safeText";
import type { SignInTrouble } from "./who";

export interface TroubleWords {
  readonly short: string;
  readonly long: string;
}

export function microphoneWords(trouble: DeviceTrouble): TroubleWords {
  switch (trouble) {
    case "denied":
      return {
        short: "microphone blocked",
        long: "This page may not use your microphone. Allow it beside the address bar, then try again; or write instead.",
      };
    case "missing":
      return {
        short: "no microphone",
        long: "No microphone was found. Plug one in or choose another under Devices, then try again; or write instead.",
      };
    case "busy":
      return {
        short: "microphone in use",
        long: "Another program holds the microphone. Close it, then try again; or write instead.",
      };
    case "unsupported":
      return {
        short: "no microphone here",
        long: "The browser gives no microphone to this address. Open the page through http://localhost or https; or write instead.",
      };
    case "failed":
      return {
        short: "microphone failed",
        long: "The microphone did not start. Try again, choose another under Devices, or write instead.",
      };
    default:
      return assertNever(trouble);
  }
}

export function pictureWords(what: "camera" | "screen", trouble: DeviceTrouble): string {
  const name = what === "camera" ? "The camera" : "Screen sharing";
  switch (trouble) {
    case "denied":
      return what === "camera"
        ? "This page may not use your camera. Allow it beside the address bar, then try again."
        : "The screen is not shared: nothing was chosen, or the browser forbids it.";
    case "missing":
      return `${name} was not found on this machine.`;
    case "busy":
      return `${name} is held by another program. Close it, then try again.`;
    case "unsupported":
      return `${name} is not offered by this browser.`;
    case "failed":
      return `${name} did not start. Try again.`;
    default:
      return assertNever(trouble);
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  message_too_long: "Too long for one message. Shorten it and send it again.",
  message_unreadable: "It could not be read as text.",
  not_sent: "It could not be sent.",
  not_confirmed: "The avatar did not confirm it.",
};

export function messageWords(why: string): string {
  return MESSAGES[why] ?? "It did not arrive.";
}

const ROLES: Readonly<Record<string, string>> = {
  hearing: "The speech recogniser",
  speaking: "The voice",
  thinking: "The language model",
};

/** `names`: people of the room by participant. */
export function noticeWords(
  code: string,
  values: Fields,
  names: Readonly<Record<string, string>>,
): string {
  switch (code) {
    case "provider_failed":
      return `${ROLES[id(values.role) ?? ""] ?? "A part of the avatar"} failed; a sentence may be missing. The conversation goes on.`;
    case "provider_recovered":
      return `${ROLES[id(values.role) ?? ""] ?? "Everything"} works again.`;
    case "no_answer":
      return "No answer came this time. Say it once more.";
    case "message_too_long":
    case "message_unreadable":
      return `A message did not arrive. ${messageWords(code)}`;
    case "not_heard": {
      const name = names[id(values.participant_id) ?? ""];
      return `${name === undefined || name === "" ? "Somebody" : safeName(name)} is here too. The avatar listens to whoever began the conversation; others can write.`;
    }
    case "face_off": {
      const library = id(values.library);
      const missing = library === undefined ? "a system library" : safeName(library);
      return `The face is off: ${missing} is missing on the server. “earwitness doctor” says how to mend it.`;
    }
    case "silence_closing": {
      const left = real(values.in_s);
      const when = left === undefined ? "soon" : `in ${Math.round(left)} seconds`;
      return `Nothing was said for a long time. The conversation closes ${when}; say something to stay.`;
    }
    case "session_ended":
      return "The conversation is being closed.";
    default:
      return `The avatar reports: ${safeName(code.replaceAll("_", " "))}.`;
  }
}

export function signInWords(trouble: SignInTrouble): string {
  switch (trouble.kind) {
    case "unreachable":
      return "The server does not answer. Is Earwitness running?";
    case "too_many":
      return trouble.retryAfterS === undefined
        ? "Too many attempts. Wait a little, then try again."
        : `Too many attempts. Try again in ${trouble.retryAfterS} seconds.`;
    case "refused":
      return trouble.detail === "" ? "This did not work. Choose another name." : trouble.detail;
    default:
      return assertNever(trouble);
  }
}

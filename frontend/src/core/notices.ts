/** Short news for the person: provider trouble, a message that did not arrive, a session closing. */

import type { Fields } from "./decode";

export interface Notice {
  readonly key: number;
  readonly code: string;
  readonly values: Fields;
}

const KEPT = 3;

/** Codes that speak of a typed message that was not taken. */
export const MESSAGE_TROUBLE: readonly string[] = ["message_too_long", "message_unreadable"];

/** Codes that stay until something answers them; the others fade after a while. */
export const LASTING: readonly string[] = [
  "provider_failed",
  "silence_closing",
  "not_heard",
  "face_off",
];

const ANSWERS: Readonly<Record<string, string>> = { provider_recovered: "provider_failed" };

export function noticed(
  notices: readonly Notice[],
  key: number,
  code: string,
  values: Fields,
): readonly Notice[] {
  const answered = ANSWERS[code];
  const others = notices.filter((notice) => notice.code !== code && notice.code !== answered);
  return [...others, { key, code, values }].slice(-KEPT);
}

/** Somebody spoke or wrote: a warning about silence has done its work. */
export function withoutSilence(notices: readonly Notice[]): readonly Notice[] {
  return notices.some((notice) => notice.code === "silence_closing")
    ? notices.filter((notice) => notice.code !== "silence_closing")
    : notices;
}

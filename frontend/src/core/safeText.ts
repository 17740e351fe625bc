/** Text of unknown origin, made harmless to look at: control characters shown, overrides removed. */

const SHOWN_CONTROLS = 0x2400;
const DELETE = 0x7f;
const REPLACEMENT = "\uFFFD";

function isBidiOverride(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n" || character === "\t") return character;
  if (code < 0x20) return String.fromCodePoint(SHOWN_CONTROLS + code);
  if (code === DELETE) return "\u2421";
  if (code > DELETE && code < 0xa0) return REPLACEMENT;
  if (isBidiOverride(code)) return "";
  return character;
}

/** One line or more; right-to-left text stays, what would reorder its surroundings goes. */
export function safeText(text: string): string {
  return Array.from(text.toWellFormed(), shown).join("");
}

/** A person's name: one line, at most 60 code points. */
export function safeName(name: string): string {
  const line = safeText(name).replace(/\s+/gu, " ").trim();
  const letters = Array.from(line);
  return letters.length > 60 ? `${letters.slice(0, 59).join("")}…` : line;
}

/** The beginning of a long text, for places that only remind of it. */
export function beginning(text: string, letters = 600): string {
  const head = Array.from(text.slice(0, letters * 2))
    .slice(0, letters)
    .join("");
  return head.length < text.length ? `${head}…` : head;
}

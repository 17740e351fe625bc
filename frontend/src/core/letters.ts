/**
 * Counting and cutting text by code points.
 *
 * The server counts characters as Python does, one per code point; JavaScript counts UTF-16 units.
 * Every `*_chars` and `offset` of the wire is cut with the functions of this file.
 */

export function length(text: string): number {
  let total = 0;
  for (const _ of text) total += 1;
  return total;
}

export function slice(text: string, start: number, end?: number): string {
  return Array.from(text).slice(start, end).join("");
}

/** Stands for one character that was lost on the way; of private use, so nobody writes it. */
const HOLE = "\uE000";

/**
 * Writes `addition` into `text` at code point `offset`; what followed is replaced.
 *
 * When something on the way was lost, a placeholder per missing character keeps later positions
 * right.
 */
export function written(text: string, offset: number, addition: string): string {
  const before = Array.from(text);
  const hole = Math.min(Math.max(0, offset - before.length), 20_000);
  return before.slice(0, offset).join("") + HOLE.repeat(hole) + addition;
}

export function hasHole(text: string): boolean {
  return text.includes(HOLE);
}

/** For showing: each hole, however long, as one "…". */
export function holesShown(text: string): string {
  return text.replace(/\uE000+/gu, "…");
}

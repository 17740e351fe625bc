/** What the installation says about its parts (`GET /api/status`), and what that means for a wait. */

import type { Absence } from "./call";
import { type Fields, fields, id, list, oneOf, real } from "./decode";

const PART_STATES = ["starting", "running", "restarting", "failed", "stopped", "off"] as const;
export type PartState = (typeof PART_STATES)[number];

export interface Part {
  readonly name: string;
  readonly state: PartState;
  readonly detailCode: string | undefined;
  readonly percent: number | undefined;
}

/** Undefined when it is no status; parts that cannot be read are left out. */
export function readStatus(body: unknown): readonly Part[] | undefined {
  return list(fields(body)?.parts)?.flatMap((item) => {
    const from = fields(item);
    const name = id(from?.name);
    const state = oneOf(from?.state, PART_STATES);
    if (from === undefined || name === undefined || state === undefined) return [];
    return [{ name, state, detailCode: id(from.detail_code), percent: percentOf(from) }];
  });
}

function percentOf(part: Fields): number | undefined {
  const values = { ...part, ...fields(part.values), ...fields(part.detail) };
  const percent = real(values.percent);
  if (percent !== undefined) return Math.round(Math.min(100, Math.max(0, percent)));
  const done = real(values.done_bytes) ?? real(values.done);
  const total = real(values.total_bytes) ?? real(values.total);
  if (done === undefined || total === undefined || total <= 0) return undefined;
  return Math.round(Math.min(1, Math.max(0, done / total)) * 100);
}

/** The part that keeps the avatar from coming, worst first. */
export function absenceOf(parts: readonly Part[] | undefined): Absence {
  if (parts === undefined) return { kind: "nobody_came" };
  const failed = parts.find((part) => part.state === "failed");
  if (failed !== undefined) return { kind: "part_failed", part: failed.name };
  const restarting = parts.find((part) => part.state === "restarting");
  if (restarting !== undefined) return { kind: "part_restarting", part: restarting.name };
  const starting = parts.find((part) => part.state === "starting");
  if (starting !== undefined) {
    return { kind: "loading", part: starting.name, percent: starting.percent };
  }
  return { kind: "nobody_came" };
}

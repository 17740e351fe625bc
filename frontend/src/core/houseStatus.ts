/** What the installation says about its parts (`GET /api/status`), and what that means for a wait. */

import type { PartOut, Status } from "../contracts/gateway";
import type { Absence } from "./call";
import { fields, id, list, oneOf, type Promised, promised, real } from "./decode";

export type PartState = PartOut["state"];
const PART_STATES: readonly PartState[] = [
  "starting",
  "running",
  "restarting",
  "failed",
  "stopped",
  "off",
];

export interface Part {
  readonly name: string;
  readonly state: PartState;
  readonly detailCode: string | undefined;
  readonly percent: number | undefined;
}

/** Undefined when it is no status; parts that cannot be read are left out. */
export function readStatus(body: unknown): readonly Part[] | undefined {
  return list(promised<Status>(body)?.parts)?.flatMap((item) => {
    const from = promised<PartOut>(item);
    const name = id(from?.name);
    const state = oneOf(from?.state, PART_STATES);
    if (from === undefined || name === undefined || state === undefined) return [];
    return [{ name, state, detailCode: id(from.detail_code), percent: percentOf(from) }];
  });
}

function percentOf(part: Promised<PartOut>): number | undefined {
  const values = fields(part.values) ?? {};
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

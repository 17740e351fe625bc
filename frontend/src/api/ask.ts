/** One request to the gateway. Never throws: whatever goes wrong is a problem with a name. */

import { count, fields, text } from "../core/decode";
import type { Problem, Reply } from "../core/ports";

const PATIENCE_MS = 10_000;

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface Wish {
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
}

export interface Answered {
  readonly response: Response;
  readonly body: unknown;
}

/** Undefined when no answer came, or none in time. */
export async function ask(
  send: Fetch,
  address: string,
  { method = "GET", body }: Wish = {},
): Promise<Answered | undefined> {
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    cache: "no-store",
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  try {
    const response = await send(address, init);
    const answer: unknown = await response.json().catch(() => undefined);
    return { response, body: answer };
  } catch {
    return undefined;
  }
}

/** Reads an answer with `read`; statuses outside 2xx become problems. */
export function replyOf<T>(
  answered: Answered | undefined,
  read: (body: unknown) => T | undefined,
): Reply<T> {
  if (answered === undefined) return { ok: false, problem: { kind: "unreachable" } };
  if (!answered.response.ok) return { ok: false, problem: problemOf(answered) };
  const value = read(answered.body);
  return value === undefined ? { ok: false, problem: { kind: "unreadable" } } : { ok: true, value };
}

function problemOf({ response, body }: Answered): Problem {
  switch (response.status) {
    case 401:
      return { kind: "stranger" };
    case 404:
      return { kind: "not_found" };
    case 429: {
      const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
      return { kind: "too_many", retryAfterS: count(Math.ceil(seconds)) };
    }
    case 502:
    case 504:
      return { kind: "unreachable" };
    default: {
      const detail = text(fields(body)?.detail, 500) ?? "";
      return { kind: "refused", status: response.status, detail };
    }
  }
}

/**
 * Keeps an eye on the gateway: is it there, and is its page newer than the one that is open?
 *
 * The page is fetched anew at each load, so the build of the first answer is this page's own.
 */

import type { Part } from "./houseStatus";
import type { Gateway, Timer } from "./ports";
import { createStore, type Readable } from "./store";

export type Reach = "reachable" | "gone";

export interface HouseView {
  readonly reach: Reach;
  /** Looks that were answered so far. */
  readonly answers: number;
  /** The server has another build of this page. */
  readonly newer: boolean;
  readonly parts: readonly Part[] | undefined;
}

export interface Watch {
  readonly view: Readable<HouseView>;
  /** Asks at once, and tells whether the gateway answered. */
  look(): Promise<boolean>;
  stop(): void;
}

const EVERY_S = 10;
const EVERY_WHEN_GONE_S = 3;
/** While a part starts, its progress is worth watching. */
const EVERY_WHEN_STARTING_S = 2;
/** One lost answer may be a hiccup; two are an absence. */
const MISSES = 2;

export function createWatch(gateway: Gateway, timer: Timer): Watch {
  const view = createStore<HouseView>({
    reach: "reachable",
    answers: 0,
    newer: false,
    parts: undefined,
  });
  let misses = 0;
  let build: string | undefined;
  let stopped = false;
  let callOff: () => void = () => undefined;

  const look = async (): Promise<boolean> => {
    const status = await gateway.status();
    const answered = status.ok || status.problem.kind !== "unreachable";
    misses = answered ? 0 : misses + 1;
    const served = gateway.servedBuild();
    build ??= served;
    view.update((before) => ({
      reach: answered ? "reachable" : misses >= MISSES ? "gone" : before.reach,
      answers: before.answers + (answered ? 1 : 0),
      newer: before.newer || (build !== undefined && served !== undefined && served !== build),
      parts: status.ok ? status.value : answered ? before.parts : undefined,
    }));
    return answered;
  };

  const pause = (): number => {
    if (misses > 0) return EVERY_WHEN_GONE_S;
    const parts = view.get().parts ?? [];
    const starting = parts.some((part) => part.state === "starting" || part.state === "restarting");
    return starting ? EVERY_WHEN_STARTING_S : EVERY_S;
  };

  const again = (): void => {
    if (stopped) return;
    callOff = timer.after(pause(), round);
  };
  const round = (): void => {
    void look().then(again, again);
  };
  round();

  return {
    view,
    look,
    stop: () => {
      stopped = true;
      callOff();
    },
  };
}

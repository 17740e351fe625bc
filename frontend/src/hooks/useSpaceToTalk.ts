/** Push-to-talk on the space bar, and the end of a held turn whenever this page loses attention. */

import { useEffect } from "react";

export interface Holding {
  readonly enabled: boolean;
  hold(): void;
  release(canceled: boolean): void;
}

const TAKES_SPACE =
  "input, textarea, select, button, summary, a, [contenteditable], video[controls]";

function isOthers(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(TAKES_SPACE) !== null &&
    target.closest("[data-hold-to-talk]") === null
  );
}

export function useSpaceToTalk({ enabled, hold, release }: Holding): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const pressed = (event: KeyboardEvent): void => {
      if (event.code === "Escape") release(true);
      if (event.code !== "Space" || isOthers(event.target)) return;
      event.preventDefault();
      if (!event.repeat) hold();
    };
    const released = (event: KeyboardEvent): void => {
      if (event.code !== "Space" || isOthers(event.target)) return;
      event.preventDefault();
      release(false);
    };
    const away = (): void => release(false);
    const hidden = (): void => {
      if (document.hidden) release(false);
    };
    window.addEventListener("keydown", pressed);
    window.addEventListener("keyup", released);
    window.addEventListener("blur", away);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      window.removeEventListener("keydown", pressed);
      window.removeEventListener("keyup", released);
      window.removeEventListener("blur", away);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, [enabled, hold, release]);
}

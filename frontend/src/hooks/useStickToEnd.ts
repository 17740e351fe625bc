/** Keeps a scrolling list at its end while new things arrive, unless the reader scrolled away. */

import { type RefObject, useEffect, useRef } from "react";

const NEAR_PX = 80;

export function useStickToEnd(content: unknown): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const stuck = useRef(true);

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const scrolled = (): void => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      stuck.current = below < NEAR_PX;
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => element.removeEventListener("scroll", scrolled);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is what moves the end
  useEffect(() => {
    const element = place.current;
    if (element !== null && stuck.current) element.scrollTop = element.scrollHeight;
  }, [content]);

  return place;
}

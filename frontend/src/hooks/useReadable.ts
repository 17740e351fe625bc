/** Draws with the value of a store, and again when it changes. */

import { useSyncExternalStore } from "react";
import type { Readable } from "../core/store";

export function useReadable<T>(readable: Readable<T>): T {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

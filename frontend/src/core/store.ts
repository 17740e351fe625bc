/** One value with subscribers: what the pages read through `useSyncExternalStore`. */

export interface Readable<T> {
  get(): T;
  /** Calls `listener` after each change; returns how to stop. */
  subscribe(listener: () => void): () => void;
}

export interface Store<T> extends Readable<T> {
  /** Replaces the value; the same value again tells nobody. */
  set(next: T): void;
  update(change: (value: T) => T): void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  const set = (next: T): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import { useSyncExternalStore } from "react";

/**
 * A value outside React that components follow: for the few things that anybody may ask for from anywhere. `drawn` is what a
 * page that the server drew shows, where that cannot know the value.
 */
export function createStore<T>(initial: T, drawn?: () => T) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => value,
    set: (next: T) => {
      value = next;
      listeners.forEach((listener) => listener());
    },
    use: () => useSyncExternalStore(subscribe, () => value, drawn ?? (() => value)),
  };
}

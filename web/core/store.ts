import { useSyncExternalStore } from "react";

/**
 * A value outside React that components can subscribe to, for the few global states. `serverValue` is used in
 * server-side rendering and hydration, if the server cannot know the value.
 */
export function createStore<T>(initial: T, serverValue?: () => T) {
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
    use: () => useSyncExternalStore(subscribe, () => value, serverValue ?? (() => value)),
  };
}

import { useEffect, useSyncExternalStore } from "react";

let open = 0;
const listeners = new Set<() => void>();
const change = (by: number) => {
  open += by;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Collapses the sidebar while a page is open that needs its width, and restores it afterwards. */
export function useWorkBench() {
  useEffect(() => {
    change(1);
    return () => change(-1);
  }, []);
}
/** True while such a page is open. */
export const useIsWorkBench = () =>
  useSyncExternalStore(
    subscribe,
    () => open > 0,
    () => false,
  );

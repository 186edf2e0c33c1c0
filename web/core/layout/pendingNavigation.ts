import { useEffect } from "react";
import type { DataRouter } from "react-router";
import { createStore } from "#web/core/store.ts";

// React keeps the old page on screen until the next one is ready. In between the router is already elsewhere: that
// difference is "pending", and the bar shows a line for it.

const asked = createStore("");
const shown = createStore("");

export function followRouter(router: DataRouter) {
  const { pathname } = router.state.location;
  asked.set(pathname);
  shown.set(pathname);
  router.subscribe(({ navigation, location }) => asked.set((navigation.location ?? location).pathname));
}

/** Call where a page is committed to the screen. */
export function useShown(pathname: string) {
  useEffect(() => shown.set(pathname), [pathname]);
}

export const usePending = () => asked.use() !== shown.use();

import { useEffect } from "react";
import type { DataRouter } from "react-router";
import { createStore } from "#web/core/store.ts";

// React keeps the old page on screen until the next one is ready, while the router already has the new location. In
// between, the navigation is pending, which the navigation bar indicates.

const requestedPath = createStore("");
const shownPath = createStore("");

export function followRouter(router: DataRouter) {
  const { pathname } = router.state.location;
  requestedPath.set(pathname);
  shownPath.set(pathname);
  router.subscribe(({ navigation, location }) => requestedPath.set((navigation.location ?? location).pathname));
}

/** Called by layouts when a page has been rendered. */
export function useShownPath(pathname: string) {
  useEffect(() => shownPath.set(pathname), [pathname]);
}

export const useIsNavigating = () => requestedPath.use() !== shownPath.use();

import type { DataRouter } from "react-router";

let router: DataRouter | null = null;
export const setRouter = (appRouter: DataRouter) => {
  router = appRouter;
};

/** Navigates from outside of React, for example from a toast that outlives its page. */
export const navigateTo = (path: string) => void router?.navigate(path);

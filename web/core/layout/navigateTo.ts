import type { DataRouter } from "react-router";

let router: DataRouter | null = null;
export const setRouter = (one: DataRouter) => {
  router = one;
};

/** Goes to a page from outside of React: from a notice that outlived its page. */
export const navigateTo = (path: string) => void router?.navigate(path);

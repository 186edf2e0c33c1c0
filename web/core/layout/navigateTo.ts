import type { DataRouter } from "react-router";

let router: DataRouter | null = null;
export const leadBy = (one: DataRouter) => {
  router = one;
};

/** Goes to a page from outside of React: from a notice that outlived its page. */
export const goTo = (path: string) => void router?.navigate(path);

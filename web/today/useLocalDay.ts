import { useSyncExternalStore } from "react";

const toDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** Midnight starts no event, and phones show a page again after days. */
function subscribe(update: () => void) {
  const timer = setInterval(update, 60_000);
  document.addEventListener("visibilitychange", update);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", update);
  };
}

/** Today in the time zone of the browser, as `2026-03-29`; the component is rendered again on the next day. */
export const useLocalDay = () => useSyncExternalStore(subscribe, () => toDay(new Date()));

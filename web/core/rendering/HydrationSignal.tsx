import { useEffect } from "react";
import { HYDRATED_EVENT } from "#shared/core/rendering.ts";

/** Signals that the page is hydrated: start.js then replays what the user did on the server-rendered page before. */
export function HydrationSignal() {
  useEffect(() => {
    document.documentElement.removeAttribute("data-decided");
    // Outside of React's commit, so that React handles the replayed events.
    setTimeout(() => dispatchEvent(new Event(HYDRATED_EVENT)));
  }, []);
  return null;
}

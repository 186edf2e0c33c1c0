import { useEffect } from "react";
import { HYDRATED_EVENT } from "#shared/rendering.ts";

/** Stands beside a page: once that works, what somebody did on the drawn page meanwhile goes on (start.js). */
export function HydrationSignal() {
  useEffect(() => {
    document.documentElement.removeAttribute("data-decided");
    // Not from within React's own work: what is put in again must be heard by it.
    setTimeout(() => dispatchEvent(new Event(HYDRATED_EVENT)));
  }, []);
  return null;
}

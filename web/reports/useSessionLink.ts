import { useSearchParams } from "react-router";

/** Links to the timeline of a session on this page, optionally at a time in ms since its start. */
export function useSessionLink() {
  const [params] = useSearchParams();
  return (sessionId: string, t?: number | null) => {
    const next = new URLSearchParams(params);
    next.set("session", sessionId);
    if (t === null || t === undefined) next.delete("t");
    else next.set("t", String(t));
    return `?${next}`;
  };
}

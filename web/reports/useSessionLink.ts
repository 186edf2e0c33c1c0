import { useSearchParams } from "react-router";

/** Address of a session's timeline on this page, at a moment of it (ms from its start) when one is given. */
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

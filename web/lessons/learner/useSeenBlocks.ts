import { type RefObject, useEffect, useRef } from "react";

/** How long a block has to be in view, in ms. */
const SEEN_MS = 400;

/**
 * Calls `onSeen` for every block that comes into view in the scrolled area, and `onEnd` when its end does. Blocks are
 * elements with `data-block`, the end is one with `data-end`.
 */
export function useSeenBlocks(
  area: RefObject<HTMLElement | null>,
  key: string,
  handlers: { onSeen: (id: string) => void; onEnd: () => void },
) {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const root = area.current;
    if (!root) return;
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const tell = (element: Element) => {
      const id = element.getAttribute("data-block");
      if (id) latest.current.onSeen(id);
      else latest.current.onEnd();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          clearTimeout(timers.get(target));
          if (isIntersecting) timers.set(target, setTimeout(tell, SEEN_MS, target));
        }
      },
      { root },
    );
    for (const element of root.querySelectorAll("[data-block], [data-end]")) observer.observe(element);
    return () => {
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [area, key]);
}

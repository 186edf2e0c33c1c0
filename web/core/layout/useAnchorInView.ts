import { useEffect } from "react";
import { useLocation } from "react-router";

/** How long blocks above may still load and push the anchor down, in ms. */
const LOADING_MS = 3000;
const TOUCHES = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/**
 * Scrolls to the element of the URL's hash, and back to it while the page above is still loading: until the reader
 * does something.
 */
export function useAnchorInView(id: string) {
  const { hash, key } = useLocation();
  useEffect(() => {
    const element = document.getElementById(id);
    if (hash !== `#${id}` || !element) return;
    const show = () => element.scrollIntoView();
    const observer = new ResizeObserver(show);
    const stop = () => {
      observer.disconnect();
      clearTimeout(timeout);
      for (const name of TOUCHES) removeEventListener(name, stop);
    };
    const timeout = setTimeout(stop, LOADING_MS);
    observer.observe(document.body);
    for (const name of TOUCHES) addEventListener(name, stop, { passive: true });
    return stop;
  }, [id, hash, key]);
}

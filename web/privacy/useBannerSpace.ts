import { type RefObject, useEffect } from "react";

/**
 * Adds space at the bottom of the page for the banner, so that it covers nothing permanently, and scrolls focused
 * elements out from behind it (WCAG 2.4.11). `--ly-banner` is the banner height, also for frames that fill the window.
 */
export function useBannerSpace(banner: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = banner.current;
    if (!element) return;
    const root = document.documentElement;
    const measure = () =>
      root.style.setProperty("--ly-banner", `${Math.ceil(innerHeight - element.getBoundingClientRect().top)}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener("resize", measure);
    const uncover = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || element.contains(target)) return;
      const hidden = target.getBoundingClientRect().bottom - element.getBoundingClientRect().top;
      if (hidden > 0) scrollBy({ top: hidden + 8, behavior: "instant" });
    };
    document.addEventListener("focusin", uncover);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      document.removeEventListener("focusin", uncover);
      root.style.removeProperty("--ly-banner");
    };
  }, [banner]);
}

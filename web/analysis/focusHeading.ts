/** Moves the focus to the h1 of an element, if what had the focus is gone. */
export function focusHeading(element: HTMLElement | null) {
  if (document.activeElement === document.body) element?.querySelector("h1")?.focus({ preventScroll: true });
}

// Toasts appear top right, below the bar. Where a page has buttons there, in its own head or in that of a section, they step aside:
// beside the buttons when the title leaves room, below them otherwise.

const BELOW_BAR = 68;
const EDGE = 16;
const GAP = 12;

type Box = { left: number; right: number; top: number; bottom: number };
const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Where the corner of toasts goes, in px from the top and the right, for toasts of this size. Pure: boxes are those of the window. */
export function placeAmong(
  { width, height, wide }: { width: number; height: number; wide: number },
  buttons: Box[],
  words: Box[],
) {
  const boxAt = (top: number, right: number) => ({
    left: wide - right - width,
    right: wide - right,
    top,
    bottom: top + height,
  });
  const usual = boxAt(BELOW_BAR, EDGE);
  const inTheWay = buttons.filter((box) => box.right > box.left && meet(usual, box));
  if (inTheWay.length === 0) return { top: BELOW_BAR, right: EDGE };
  const right = wide - Math.min(...inTheWay.map(({ left }) => left)) + GAP;
  const beside = boxAt(BELOW_BAR, right);
  if (beside.left >= EDGE && ![...words, ...buttons].some((box) => meet(beside, box))) return { top: BELOW_BAR, right };
  let top = BELOW_BAR;
  for (let met = inTheWay; met.length > 0; met = buttons.filter((box) => meet(boxAt(top, EDGE), box)))
    top = Math.max(...met.map(({ bottom }) => bottom)) + GAP;
  return { top, right: EDGE };
}

/** The words of an element, not the line they stand in. */
function wordsOf(element: Element): Box {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

function place() {
  const toasts = [...document.querySelectorAll("[data-toast]")].map((one) => one.getBoundingClientRect());
  if (toasts.length === 0) return;
  const size = {
    width: Math.max(...toasts.map(({ width }) => width)),
    height: toasts.reduce((sum, { height }) => sum + height + GAP, 0),
    wide: document.documentElement.clientWidth,
  };
  const found = (part: string) => [...document.querySelectorAll(`[data-head="${part}"]`)];
  const { top, right } = placeAmong(
    size,
    found("actions").map((one) => one.getBoundingClientRect()),
    found("words").flatMap((one) => [...one.children].map(wordsOf)),
  );
  document.documentElement.style.setProperty("--ly-toast-top", `${top}px`);
  document.documentElement.style.setProperty("--ly-toast-right", `${right}px`);
}

/** Keeps toasts out of the way of the head while there are some: pages change, scroll and grow below them. Returns what ends it. */
export function keepClear() {
  place();
  let asked = 0;
  const again = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(place);
  };
  const grown = new ResizeObserver(again);
  grown.observe(document.body);
  const changed = new MutationObserver(again);
  changed.observe(document.getElementById("content") ?? document.body, { childList: true, subtree: true });
  addEventListener("scroll", again, { passive: true });
  return () => {
    cancelAnimationFrame(asked);
    grown.disconnect();
    changed.disconnect();
    removeEventListener("scroll", again);
  };
}

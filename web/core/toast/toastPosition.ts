// Toasts appear at the top right, below the navigation bar. If the header of the page or of a section has buttons
// there, they are placed beside the buttons if the title leaves enough space, otherwise below them.

const BELOW_BAR = 68;
const EDGE = 16;
const GAP = 12;

type Box = { left: number; right: number; top: number; bottom: number };
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The position of toasts of a given size, in px from the top and the right. All boxes are in viewport coordinates. */
export function toastPosition(
  { width, height, viewportWidth }: { width: number; height: number; viewportWidth: number },
  buttons: Box[],
  texts: Box[],
) {
  const boxAt = (top: number, right: number) => ({
    left: viewportWidth - right - width,
    right: viewportWidth - right,
    top,
    bottom: top + height,
  });
  const defaultBox = boxAt(BELOW_BAR, EDGE);
  const blocking = buttons.filter((box) => box.right > box.left && overlap(defaultBox, box));
  if (blocking.length === 0) return { top: BELOW_BAR, right: EDGE };
  const right = viewportWidth - Math.min(...blocking.map(({ left }) => left)) + GAP;
  const beside = boxAt(BELOW_BAR, right);
  if (beside.left >= EDGE && ![...texts, ...buttons].some((box) => overlap(beside, box)))
    return { top: BELOW_BAR, right };
  let top = BELOW_BAR;
  for (let below = blocking; below.length > 0; below = buttons.filter((box) => overlap(boxAt(top, EDGE), box)))
    top = Math.max(...below.map(({ bottom }) => bottom)) + GAP;
  return { top, right: EDGE };
}

/** The box of the text in an element, not of the whole line. */
function textBoxOf(element: Element): Box {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

function positionToasts() {
  const toasts = [...document.querySelectorAll("[data-toast]")].map((element) => element.getBoundingClientRect());
  if (toasts.length === 0) return;
  const size = {
    width: Math.max(...toasts.map(({ width }) => width)),
    height: toasts.reduce((sum, { height }) => sum + height + GAP, 0),
    viewportWidth: document.documentElement.clientWidth,
  };
  const findAll = (part: string) => [...document.querySelectorAll(`[data-head="${part}"]`)];
  const { top, right } = toastPosition(
    size,
    findAll("actions").map((element) => element.getBoundingClientRect()),
    findAll("words").flatMap((element) => [...element.children].map(textBoxOf)),
  );
  document.documentElement.style.setProperty("--ly-toast-top", `${top}px`);
  document.documentElement.style.setProperty("--ly-toast-right", `${right}px`);
}

/** Repositions toasts while the page changes, scrolls or resizes. Returns a function that stops it. */
export function trackToastPosition() {
  positionToasts();
  let frame = 0;
  const schedule = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(positionToasts);
  };
  const resizes = new ResizeObserver(schedule);
  resizes.observe(document.body);
  const mutations = new MutationObserver(schedule);
  mutations.observe(document.getElementById("content") ?? document.body, { childList: true, subtree: true });
  addEventListener("scroll", schedule, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    resizes.disconnect();
    mutations.disconnect();
    removeEventListener("scroll", schedule);
  };
}

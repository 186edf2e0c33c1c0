const ACTIVITY_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll", "input"] as const;
/** Minimum time between two reports to the application page, in ms. */
const REPORT_INTERVAL_MS = 2000;

/**
 * Reports user activity: pointer, keys and scrolling in the package and its frames, and playing media. Frames of other
 * origins cannot be inspected; they count as active while they have the focus. `onChatKey`: Alt+M was pressed in the
 * package.
 */
export function watchActivity(frame: () => HTMLIFrameElement | null, onActivity: () => void, onChatKey: () => void) {
  let lastReport = 0;
  const watched = new WeakSet<Document>();
  const report = () => {
    if (Date.now() - lastReport < REPORT_INTERVAL_MS) return;
    lastReport = Date.now();
    onActivity();
  };
  const watch = (document: Document) => {
    if (watched.has(document)) return;
    watched.add(document);
    document.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyM") return;
      event.preventDefault();
      onChatKey();
    });
    for (const name of ACTIVITY_EVENTS) document.addEventListener(name, report, { passive: true, capture: true });
  };
  const inspect = (window: Window | null) => {
    try {
      if (!window) return;
      watch(window.document);
      const media = [...window.document.querySelectorAll<HTMLMediaElement>("video, audio")];
      if (media.some(({ paused, ended }) => !paused && !ended)) report();
      for (let i = 0; i < window.frames.length; i++) inspect(window.frames[i] as Window);
    } catch {
      if (document.hasFocus()) report();
    }
  };
  watch(document);
  const look = () => inspect(frame()?.contentWindow ?? null);
  const timer = setInterval(look, 1000);
  return { look, stop: () => clearInterval(timer) };
}

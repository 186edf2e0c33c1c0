const signs = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll", "input"] as const;
/** The application page is told at most this often, in ms. */
const PAUSE_MS = 2000;

/**
 * Tells that the learner is there: pointer, keys and scrolling in the package and its frames, and media that plays. Frames
 * of other hosts cannot be looked into; their focus counts as activity while the page is visible.
 */
export function watchActivity(frame: () => HTMLIFrameElement | null, tell: () => void) {
  let told = 0;
  const seen = new WeakSet<Document>();
  const sign = () => {
    if (Date.now() - told < PAUSE_MS) return;
    told = Date.now();
    tell();
  };
  const watch = (document: Document) => {
    if (seen.has(document)) return;
    seen.add(document);
    for (const name of signs) document.addEventListener(name, sign, { passive: true, capture: true });
  };
  const look = (window: Window | null) => {
    try {
      if (!window) return;
      watch(window.document);
      const media = [...window.document.querySelectorAll<HTMLMediaElement>("video, audio")];
      if (media.some((one) => !one.paused && !one.ended)) sign();
      for (let i = 0; i < window.frames.length; i++) look(window.frames[i] as Window);
    } catch {
      if (document.hasFocus()) sign();
    }
  };
  watch(document);
  const timer = setInterval(() => look(frame()?.contentWindow ?? null), 1000);
  return { stop: () => clearInterval(timer) };
}

import { IDLE_AFTER_MS } from "#shared/playerTiming.ts";

/** A tick longer than this was a sleeping computer, which is not activity. */
const LONGEST_TICK_MS = 5000;

/** Measures active time: the page is visible and the learner gave a sign of life within IDLE_MS (research/learning, complaint 4). */
export function createClock() {
  let active = 0;
  let sign = Date.now();
  let last = Date.now();
  const tick = () => {
    const now = Date.now();
    const step = now - last;
    last = now;
    if (document.visibilityState === "visible" && now - sign < IDLE_AFTER_MS && step < LONGEST_TICK_MS) active += step;
  };
  const touch = () => {
    sign = Date.now();
  };
  const timer = setInterval(tick, 1000);
  const signs = ["pointerdown", "pointermove", "keydown", "touchstart"] as const;
  for (const name of signs) addEventListener(name, touch, { passive: true });
  return {
    touch,
    activeMs: () => {
      tick();
      return active;
    },
    stop: () => {
      clearInterval(timer);
      for (const name of signs) removeEventListener(name, touch);
    },
  };
}

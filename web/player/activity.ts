import { noteInput } from "#web/core/session/sharedDevice.ts";
import { IDLE_AFTER_MS } from "#shared/player/playerTiming.ts";

/** A longer pause between two ticks means that the computer was asleep; it does not count as active time. */
const MAX_TICK_MS = 5000;
const ACTIVITY_EVENTS = ["pointerdown", "pointermove", "keydown", "touchstart"] as const;

/** Measures active time: the page is visible and there was user activity within IDLE_AFTER_MS. */
export function createActivityClock() {
  let activeMs = 0;
  let lastActivity = Date.now();
  let lastTick = Date.now();
  const tick = () => {
    const now = Date.now();
    const elapsed = now - lastTick;
    lastTick = now;
    const isActive = document.visibilityState === "visible" && now - lastActivity < IDLE_AFTER_MS;
    if (isActive && elapsed < MAX_TICK_MS) activeMs += elapsed;
  };
  const touch = () => {
    lastActivity = Date.now();
    noteInput();
  };
  const timer = setInterval(tick, 1000);
  for (const name of ACTIVITY_EVENTS) addEventListener(name, touch, { passive: true });
  return {
    /** Reports user activity that happened elsewhere, in the shell. */
    touch,
    activeMs: () => {
      tick();
      return activeMs;
    },
    stop: () => {
      clearInterval(timer);
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, touch);
    },
  };
}

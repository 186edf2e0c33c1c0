import { randomLetters } from "#web/core/random.ts";

const KEY = "lyceum-window";

/** A random id of this browser tab. It survives a reload, so that reloading does not ask to take over from oneself. */
export function clientId() {
  const made = randomLetters();
  try {
    const known = sessionStorage.getItem(KEY);
    if (known) return known;
    sessionStorage.setItem(KEY, made);
  } catch {
    // No storage: a reload asks.
  }
  return made;
}

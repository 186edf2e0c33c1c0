import { randomToken } from "#web/core/random.ts";

const KEY = "lyceum-window";

/**
 * A random id of this browser tab. It survives a reload, so that a reload takes over its own session without asking.
 */
export function clientId() {
  const newId = randomToken();
  try {
    const stored = sessionStorage.getItem(KEY);
    if (stored) return stored;
    sessionStorage.setItem(KEY, newId);
  } catch {
    // Without storage, a reload asks whether to take over.
  }
  return newId;
}

const KEY = 'lyceum-window'

/** Random letters, also where the page is not a secure context and `crypto.randomUUID` is missing. */
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(36).padStart(2, '0')).join('')

/** A random id of this browser tab. It survives a reload, so that reloading does not ask to take over from oneself. */
export function clientId() {
  const made = random()
  try {
    const known = sessionStorage.getItem(KEY)
    if (known) return known
    sessionStorage.setItem(KEY, made)
  } catch {
    // No storage: a reload asks.
  }
  return made
}

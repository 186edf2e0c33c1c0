const KEY = 'lyceum-window'

/** A random id of this browser tab. It survives a reload, so that reloading does not ask to take over from oneself. */
export function clientId() {
  try {
    const known = sessionStorage.getItem(KEY)
    if (known) return known
    const made = crypto.randomUUID()
    sessionStorage.setItem(KEY, made)
    return made
  } catch {
    return crypto.randomUUID()
  }
}

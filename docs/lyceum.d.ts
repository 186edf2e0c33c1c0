/** The variables of a Lyceum course, for its content. See content-api.md. */
interface Lyceum {
  /** The current value at once; null if there is none. */
  get(key: string): LyceumValue;
  /** Sets a value. True: accepted and safe. False: refused; the session says why. */
  set(key: string, value: LyceumValue): boolean;
  /** Sets several values; true if every one was accepted. */
  setMany(values: Record<string, LyceumValue>): boolean;
  /** Calls the listener after each change, in whichever frame it was made. Returns a function that stops it. */
  on(name: "change", listener: (change: LyceumChange) => void): () => void;
}
type LyceumValue = string | number | boolean | null | LyceumValue[] | { [key: string]: LyceumValue };
type LyceumChange = { key: string; value: LyceumValue; previous: LyceumValue };

interface Window {
  /** Undefined outside of Lyceum. */
  Lyceum?: Lyceum;
}

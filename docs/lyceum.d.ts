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
  /**
   * Runs a button prompt that an admin has tied to this course. `input`: what the learner wrote, at most 8,000 characters. Rejects with an
   * error that has a `code`: `buttonPrompts.limit`, `buttonPrompts.cooldown`, `buttonPrompts.notVisible`, `core.notFound`, `core.network`.
   */
  runPrompt(key: string, input?: string): Promise<LyceumAnswer>;
  /** Opens a chatbot of this course beside it: the one with this id, or the first. Without one, nothing happens. */
  openChat(chatbotId?: string): void;
  /**
   * Says that an HTML course is completed, with an optional score from 0 to 100. True: the course is completed now. False: its completion
   * rule needs something else, or it is a SCORM package, which says so by SCORM; the session says why.
   */
  complete(options?: { score?: number }): boolean;
}
interface LyceumAnswer {
  /** False: the model did not answer; `text` is then what the admin wrote for that. */
  isAnswered: boolean;
  text: string;
  /** The variables that the answer has filled in; `get` already returns them. */
  values: { [key: string]: LyceumValue };
  /** Runs that are left today; null for any number. */
  left: number | null;
}
type LyceumValue = string | number | boolean | null | LyceumValue[] | { [key: string]: LyceumValue };
type LyceumChange = { key: string; value: LyceumValue; previous: LyceumValue };

interface Window {
  /** Undefined outside of Lyceum. */
  Lyceum?: Lyceum;
}

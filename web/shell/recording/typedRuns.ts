import type { MaskedTexts } from "#web/shell/recording/maskedTexts.ts";

/** A run of keys ends after a pause of this many ms, or after this many characters. */
const PAUSE_MS = 3000;
const MAX_RUN_CHARS = 200;
/** A key and the input that it causes occur within this many ms. */
const SAME_KEY_MS = 100;
const MODIFIERS = new Set([
  "Shift",
  "Control",
  "Alt",
  "AltGraph",
  "Meta",
  "CapsLock",
  "Dead",
  "Process",
  "Unidentified",
]);
/** Minimum interval between two reads of the choices, in ms, and maximum number of choices. */
const CHOICES_INTERVAL_MS = 1000;
const MAX_CHOICES = 2000;
const CHOICES = 'option, input[type="radio"], input[type="checkbox"]';

/**
 * Hides what is typed in documents, even if no field has the focus, and registers the choices that an author offers
 * there.
 */
export function createTypedRuns(texts: Pick<MaskedTexts, "setRun" | "endRun" | "offer">) {
  const watched = new WeakSet<Document>();
  const choicesRead = new WeakMap<Document, number>();
  let run = "";
  let at = 0;
  let hasGrown = false;
  let lastKey = { key: "", at: 0 };

  const end = () => {
    if (run) texts.endRun(run);
    run = "";
  };
  const append = (text: string, now: number) => {
    if (now - at > PAUSE_MS || run.length >= MAX_RUN_CHARS) end();
    at = now;
    hasGrown = true;
    // A longer text is hidden in pieces.
    for (let i = 0; i < Math.min(text.length, 20 * MAX_RUN_CHARS); i += MAX_RUN_CHARS) {
      if (run.length + text.length - i > MAX_RUN_CHARS) end();
      run += text.slice(i, i + MAX_RUN_CHARS);
    }
    texts.setRun(run);
  };
  const onKey = (event: KeyboardEvent, now: number) => {
    const key = event.key ?? "";
    const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
    if (isShortcut || MODIFIERS.has(key)) return;
    if ([...key].length === 1) {
      lastKey = { key, at: now };
      append(key, now);
    } else if (key === "Backspace" && run) {
      if (hasGrown) texts.endRun(run);
      hasGrown = false;
      run = run.slice(0, -1);
      texts.setRun(run);
    } else end();
  };
  const onInput = ({ data, inputType }: InputEvent, now: number) => {
    if (!data || inputType === "insertCompositionText") return;
    if (data === lastKey.key && now - lastKey.at < SAME_KEY_MS) lastKey.key = "";
    else append(data, now);
  };
  const listen = (event: Event) => {
    if (!event.isTrusted) return;
    const now = performance.now();
    if (event.type === "keydown") onKey(event as KeyboardEvent, now);
    else if (event.type === "beforeinput") onInput(event as InputEvent, now);
    else if (event.type === "compositionend") append((event as CompositionEvent).data ?? "", now);
    else if (event.type === "paste") append((event as ClipboardEvent).clipboardData?.getData("text/plain") ?? "", now);
    else readChoices((event.target as Node | null)?.ownerDocument ?? null);
  };
  const readChoices = (page: Document | null) => {
    const now = performance.now();
    if (!page || now - (choicesRead.get(page) ?? -Infinity) < CHOICES_INTERVAL_MS) return;
    choicesRead.set(page, now);
    const found = page.querySelectorAll<HTMLOptionElement | HTMLInputElement>(CHOICES);
    for (const choice of [...found].slice(0, MAX_CHOICES)) {
      texts.offer(choice.value);
      const labels = choice.tagName === "OPTION" ? [choice] : [...((choice as HTMLInputElement).labels ?? [])];
      for (const label of [...labels, choice.nextSibling]) texts.offer(label?.textContent ?? "");
    }
  };
  return {
    /** Watches a window and the frames in it that can be read. A document is watched once. */
    watch(frame: Window) {
      try {
        if (!watched.has(frame.document)) {
          watched.add(frame.document);
          // On the window and in the capture phase, before a handler of the page can show what was typed.
          for (const type of ["keydown", "beforeinput", "compositionend", "paste", "pointerdown", "focusin"])
            frame.addEventListener(type, listen, { capture: true, passive: true });
        }
        readChoices(frame.document);
        for (let i = 0; i < frame.frames.length; i++) this.watch(frame.frames[i] as Window);
      } catch {
        // A frame of another origin is not recorded.
      }
    },
    end,
  };
}

import type { Missing, MissingKind } from "#shared/recordings/missingKinds.ts";

/** Counts the omissions of a recording. */
export function createMissingParts() {
  let counts: Missing = {};
  const fontsOf = new WeakMap<Document, number>();
  const hosts = new WeakSet<Element>();

  const add = (kind: MissingKind, count = 1) => {
    counts[kind] = (counts[kind] ?? 0) + count;
  };
  /** Fonts that a script has loaded are in no style sheet. */
  const countFonts = (page: Document) => {
    const all = page.fonts.size;
    if (all === (fontsOf.get(page) ?? 0)) return;
    const ofSheets = [...page.styleSheets].reduce((sum, sheet) => sum + countFontRules(sheet), 0);
    const before = fontsOf.get(page) ?? ofSheets;
    if (all > Math.max(before, ofSheets)) add("font", all - Math.max(before, ofSheets));
    fontsOf.set(page, all);
  };
  /** Custom elements that have a size but no content: their shadow root is closed. */
  const countShadows = (page: Document) => {
    for (const element of page.querySelectorAll<HTMLElement>(":defined")) {
      if (!element.localName.includes("-") || element.shadowRoot || element.firstChild || hosts.has(element)) continue;
      if (element.offsetHeight === 0 || element.offsetWidth === 0) continue;
      hosts.add(element);
      add("shadow");
    }
  };
  const look = (frame: Window) => {
    try {
      countFonts(frame.document);
      countShadows(frame.document);
      for (let i = 0; i < frame.frames.length; i++) look(frame.frames[i] as Window);
    } catch {
      // A frame of another origin is counted as an element of its page.
    }
  };
  return {
    add,
    /** The omissions since the last call; null if none. */
    take(): Missing | null {
      const found = counts;
      counts = {};
      return Object.keys(found).length > 0 ? found : null;
    },
    /** Looks for missing parts that cause no event, in a window and its frames. */
    look,
  };
}

function countFontRules(sheet: CSSStyleSheet) {
  try {
    return [...sheet.cssRules].filter((rule) => rule.constructor.name === "CSSFontFaceRule").length;
  } catch {
    return 0;
  }
}

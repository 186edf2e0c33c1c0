/** Fillers, spaces without width, soft hyphens, marks of direction, selectors and tags, as ranges of code points. */
const RANGES: [from: number, to: number][] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe0fff],
];
const escapeOf = (point: number) => `\\u{${point.toString(16)}}`;
/**
 * Characters that nobody sees and that models read. Joiners remain where a script or an emoji needs one, and the first
 * sixteen variation selectors.
 */
const INVISIBLE = new RegExp(`[${RANGES.map(([from, to]) => `${escapeOf(from)}-${escapeOf(to)}`).join("")}]`, "gu");
const REPEATED_JOINERS = /([\u200c\u200d])[\u200c\u200d]+/gu;

/** The text as a person sees it, for a language model. */
export const visibleText = (text: string) => text.replace(INVISIBLE, "").replace(REPEATED_JOINERS, "$1");

/**
 * Characters that nobody sees and that models read: the block of tags, variation selectors beyond the first sixteen,
 * zero-width spaces, soft hyphens, and marks of writing direction. Joiners remain where a script or an emoji needs one.
 */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;
const REPEATED_JOINERS = /([\u200c\u200d])[\u200c\u200d]+/gu;

/** The text as a person sees it, for a language model. */
export const visibleText = (text: string) => text.replace(INVISIBLE, "").replace(REPEATED_JOINERS, "$1");

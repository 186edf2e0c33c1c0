import type { Page } from "#server/core/rendering/htmlHead.ts";
import texts from "#shared/locales/en/transcripts.json" with { type: "json" };

const SHARED = /^\/transcripts\/[^/?]+\/?(?:\?|$)/;

/** The head of a shared transcript: the same for every link, and for no search engine. Null for other pages. */
export const sharedHeadOf = (url: string): Page | null =>
  SHARED.test(url) ? { status: 200, title: texts.shared.title, noindex: true } : null;

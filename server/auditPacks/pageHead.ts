import type { Page } from "#server/core/rendering/htmlHead.ts";
import texts from "#shared/locales/en/auditPacks.json" with { type: "json" };

const LINK = /^\/audits\/[^/?]+(?:\/|\?|$)/;

/** The head of a page for auditors: the same for every link, and for no search engine. Null for other pages. */
export const auditHeadOf = (url: string): Page | null =>
  LINK.test(url) ? { status: 200, title: texts.auditor.head, noindex: true } : null;

import type { Page } from "#server/core/rendering/htmlHead.ts";
import texts from "#shared/locales/en/certificates.json" with { type: "json" };

const VERIFY = /^\/verify(\/[^/?%]+)?\/?(?:\?|$)/;

/**
 * The head of the public page of a certificate: the same for every number, so that it tells nothing, and for no search
 * engine. Null for other pages.
 */
export function verifyHeadOf(url: string): Page | null {
  const found = VERIFY.exec(url);
  return found && { status: 200, title: texts.verify.title, noindex: found[1] !== undefined };
}

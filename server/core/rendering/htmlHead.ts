import { escapeHtml, jsonElement } from "#server/core/rendering/html.ts";
import { type Academy, ACADEMY_ELEMENT } from "#shared/settings/settings.ts";

/**
 * Status and head of a page. With `title` null the title is the name of the academy. `head` is HTML, already escaped.
 */
export type Page = {
  status: number;
  title: string | null;
  description?: string;
  head?: string;
  noindex?: boolean;
  location?: string;
  /** Preview card in social networks and chats (Open Graph protocol), with the canonical URL of the page. */
  card?: { type: "website" | "event"; url: string; image?: string | null };
};

/**
 * The HTML of the application with the head of a page, and with the data of the academy, so that the first paint has
 * its name and colour.
 */
export function withHead(index: string, { academy, page }: { academy: Academy | null; page: Page | null }) {
  const site = academy?.name ?? "Lyceum";
  const title = page?.title ? `${page.title} · ${site}` : site;
  const description = page?.description || academy?.tagline || academy?.headline;
  const parts = [`<title>${escapeHtml(title)}</title>`];
  if (academy) parts.push(jsonElement(ACADEMY_ELEMENT, JSON.stringify(academy)));
  if (page?.noindex) parts.push('<meta name="robots" content="noindex">');
  if (page?.card) parts.push(cardOf(page.card, { title: page.title ?? site, site, description }));
  if (page?.head) parts.push(page.head);
  const withTitle = index.replace(/<title>[^<]*<\/title>/, () => parts.join(""));
  return description
    ? withTitle.replace(
        /<meta name="description" content="[^"]*"\s*\/?>/,
        () => `<meta name="description" content="${escapeHtml(description)}">`,
      )
    : withTitle;
}

function cardOf(
  { type, url, image }: NonNullable<Page["card"]>,
  { title, site, description }: { title: string; site: string; description: string | undefined },
) {
  const properties = Object.entries({ type, title, description, url, image, site_name: site }).flatMap(
    ([name, value]) => (value ? [`<meta property="og:${name}" content="${escapeHtml(value)}">`] : []),
  );
  return [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...properties,
    `<meta name="twitter:card" content="${image ? "summary_large_image" : "summary"}">`,
  ].join("");
}

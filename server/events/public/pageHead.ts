import { escapeHtml } from "#server/core/rendering/html.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Page } from "#server/core/rendering/htmlHead.ts";
import type { Services } from "#server/core/services.ts";
import { spanText, withOffset } from "#server/events/eventTimes.ts";
import { publicView } from "#server/events/views.ts";
import { findBySlug, isListedFor } from "#server/events/public/visibility.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

const SITEMAP_LIMIT = 45_000;
const guest = (services: Services): Ctx => ({ ...services, user: null });

/**
 * HTTP status and head of a public page, for crawlers and link previews; null for any other page. Events that are not
 * visible to everyone are 404, because the page request carries no token.
 */
export async function pageHeadOf(services: Services, url: string): Promise<Page | null> {
  const path = pathSegments(url);
  if (!path) return null;
  const [, root, slug, subpage, rest] = path;
  if (!root) return { status: 200, title: null, card: { type: "website", url: `${services.config.publicUrl}/` } };
  if (root !== "events" || rest !== undefined) return null;
  if (slug === undefined) return listPage(services);
  if (slug === "registration") return { status: 200, title: "Your registration", noindex: true };
  if (subpage !== undefined && subpage !== "register" && subpage !== "success")
    return { status: 404, title: "Events", noindex: true };
  const event = await findBySlug(services.db, slug);
  const isForEveryone = event?.visibility === "public" || event?.visibility === "unlisted";
  if (!event || event.status === "draft" || !isForEveryone) return { status: 404, title: "Events", noindex: true };
  if (event.slug !== slug)
    return { status: 301, title: null, location: `/events/${event.slug}${subpage ? `/${subpage}` : ""}` };
  if (subpage) return { status: 200, title: event.title, noindex: true };
  return eventPage(
    services,
    await publicView(guest(services), event),
    event.visibility === "public" && event.status !== "archived",
  );
}

/** Decoded path segments, the first one empty; null for malformed percent-encoding. */
function pathSegments(url: string): (string | undefined)[] | null {
  try {
    return decodeURIComponent((url.split("?")[0] ?? "").replace(/\/+$/, "")).split("/");
  } catch {
    return null;
  }
}

function listPage({ config }: Services): Page {
  return {
    status: 200,
    title: "Events",
    description: "Upcoming events. Register in a minute.",
    card: { type: "website", url: `${config.publicUrl}/events` },
    head: '<link rel="alternate" type="text/calendar" title="Events" href="/api/events.ics">',
  };
}

function eventPage({ config }: Services, event: PublicEvent, listed: boolean): Page {
  const url = `${config.publicUrl}/events/${event.slug}`;
  const description =
    event.summary ||
    event.description
      .replace(/[#*_>`[\]()]/g, " ")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 160) ||
    spanText(event);
  const image = event.coverUrl ? config.publicUrl + event.coverUrl : null;
  return {
    status: 200,
    title: event.title,
    description,
    noindex: !listed || !event.indexable,
    card: { type: "event", url, image },
    head: `<script type="application/ld+json">${json(linkedData(event, url, image, description))}</script>`,
  };
}

/** JSON that is safe inside a script element. */
const json = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

const MODES = {
  in_person: "OfflineEventAttendanceMode",
  online: "OnlineEventAttendanceMode",
  hybrid: "MixedEventAttendanceMode",
};

/** Structured data for search engines (https://schema.org/Event). */
function linkedData(event: PublicEvent, url: string, image: string | null, description: string) {
  const { name, street, postalCode, city, country } = event.venue;
  const venue = {
    "@type": "Place",
    name: name || city,
    address: {
      "@type": "PostalAddress",
      streetAddress: street,
      postalCode,
      addressLocality: city,
      addressCountry: country,
    },
  };
  const places = [
    ...(event.attendanceMode === "online" ? [] : [venue]),
    ...(event.attendanceMode === "in_person" ? [] : [{ "@type": "VirtualLocation", url }]),
  ];
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    name: event.title,
    description,
    url,
    inLanguage: event.language,
    startDate: withOffset(event.startsAt, event.timezone),
    endDate: withOffset(event.endsAt, event.timezone),
    eventStatus: `https://schema.org/${event.phase === "cancelled" ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: `https://schema.org/${MODES[event.attendanceMode]}`,
    location: places.length === 1 ? places[0] : places,
    ...(image && { image: [image] }),
    ...(event.organiserName && {
      organizer: { "@type": event.organiserKind === "person" ? "Person" : "Organization", name: event.organiserName },
    }),
    ...(event.speakers.length > 0 && {
      performer: event.speakers.map((speaker) => ({ "@type": "Person", name: speaker.name })),
    }),
    offers: {
      "@type": "Offer",
      url: `${url}/register`,
      price: 0,
      priceCurrency: "EUR",
      availability: `https://schema.org/${event.phase === "open" ? "InStock" : "SoldOut"}`,
      ...(event.registrationOpensAt && { validFrom: event.registrationOpensAt }),
    },
  };
}

/** The sitemap: all public events that search engines may list (https://www.sitemaps.org/protocol.html). */
export async function sitemap({ db, config }: Services) {
  const rows = await db
    .selectFrom("events")
    .where(isListedFor(null))
    .where("indexable", "=", true)
    .select(["slug", "updatedAt"])
    .orderBy("startsAt", "desc")
    .limit(SITEMAP_LIMIT)
    .execute();
  const entry = (path: string, changed?: string) =>
    `<url><loc>${escapeHtml(config.publicUrl + path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ""}</url>`;
  const entries = [
    entry("/"),
    entry("/events"),
    ...rows.map(({ slug, updatedAt }) => entry(`/events/${slug}`, updatedAt)),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>\n",
  ].join("");
}

export const robots = ({ config }: Services) => `User-agent: *
Allow: /api/events
Disallow: /api/
Disallow: /v0/
Disallow: /events/registration/
Sitemap: ${config.publicUrl}/sitemap.xml
`;

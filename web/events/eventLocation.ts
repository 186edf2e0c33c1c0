import { i18n } from "#web/core/i18n.ts";
import type { Venue } from "#shared/events/eventInput.ts";
import type { PublicEventRow } from "#shared/events/eventViews.ts";

type LocatedEvent = Pick<PublicEventRow, "attendanceMode" | "venue">;

/** `Online`, `Kulturhuset, Oslo`, `Kulturhuset, Oslo, and online` */
export function locationOf({ attendanceMode, venue }: LocatedEvent) {
  const venueText = [venue.name, venue.city].filter(Boolean).join(", ");
  if (attendanceMode === "online") return i18n.t("events.mode.online");
  if (attendanceMode === "hybrid")
    return venueText ? i18n.t("events.venueAndOnline", { venue: venueText }) : i18n.t("events.mode.hybrid");
  return venueText || i18n.t("events.mode.in_person");
}

/** Street, postal code and city, and country as lines. */
export const addressLines = ({ street, postalCode, city, country }: Venue) =>
  [street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean);

/** The map link of the organiser, or a map search for the address. */
export const mapUrlOf = (venue: Venue) => {
  if (venue.mapUrl) return venue.mapUrl;
  const address = [venue.name, ...addressLines(venue)].filter(Boolean).join(", ");
  return venue.street || venue.city
    ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
    : null;
};

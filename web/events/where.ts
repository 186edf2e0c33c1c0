import { i18n } from "#web/core/i18n.ts";
import type { Venue } from "#shared/eventInput.ts";
import type { PublicEventRow } from "#shared/eventViews.ts";

type Place = Pick<PublicEventRow, "attendanceMode" | "venue">;

/** `Online`, `Kulturhuset, Oslo`, `Kulturhuset, Oslo, and online` */
export function placeOf({ attendanceMode, venue }: Place) {
  const room = [venue.name, venue.city].filter(Boolean).join(", ");
  if (attendanceMode === "online") return i18n.t("events.mode.online");
  if (attendanceMode === "hybrid")
    return room ? i18n.t("events.roomAndOnline", { room }) : i18n.t("events.mode.hybrid");
  return room || i18n.t("events.mode.in_person");
}

/** Street, postal code and city, country: each a line. */
export const addressLines = ({ street, postalCode, city, country }: Venue) =>
  [street, [postalCode, city].filter(Boolean).join(" "), country].filter(Boolean);

/** The organiser's own link to a map, or a search for the address. */
export const mapLink = (venue: Venue) => {
  if (venue.mapUrl) return venue.mapUrl;
  const address = [venue.name, ...addressLines(venue)].filter(Boolean).join(", ");
  return venue.street || venue.city
    ? `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
    : null;
};

/** `English` for `en`. */
export function languageName(code: string) {
  try {
    return new Intl.DisplayNames([i18n.language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

import { datePartsIn, formatDayIn, formatSpanIn, formatZone } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { dayIn, hasSameOffset } from "#web/core/format/zone.ts";
import { cityOf } from "#shared/core/dates.ts";

type Times = { startsAt: string; endsAt: string; timezone: string };

const isOneDay = ({ startsAt, endsAt, timezone }: Times) =>
  formatDayIn(startsAt, timezone) === formatDayIn(endsAt, timezone);

/** `Thursday, 14:00 to 15:30` */
export const timeSpan = (event: Times) => {
  const span = formatSpanIn(event.startsAt, event.endsAt, event.timezone);
  return isOneDay(event) ? `${datePartsIn(event.startsAt, event.timezone).weekday}, ${span}` : span;
};

/** `14:00 to 15:30 CET` */
export const shortTimeSpan = ({ startsAt, endsAt, timezone }: Times) =>
  `${formatSpanIn(startsAt, endsAt, timezone)} ${formatZone(startsAt, timezone)}`;

/** `Oslo time, CET` */
export const timeZoneText = ({ startsAt, timezone }: Times) => {
  const [city, name] = [cityOf(timezone), formatZone(startsAt, timezone)];
  return city === name ? name : i18n.t("events.zone", { city, name });
};

/** The time span in the visitor's time zone: `13:00 to 14:30 in London`. Null if local times are the same. */
export function visitorTimeSpan({ startsAt, endsAt, timezone }: Times, zone: string | null) {
  if (!zone || (hasSameOffset(startsAt, timezone, zone) && hasSameOffset(endsAt, timezone, zone))) return null;
  const isOtherDay = dayIn(startsAt, zone) !== dayIn(startsAt, timezone);
  const span = formatSpanIn(startsAt, endsAt, zone);
  return i18n.t(isOtherDay ? "events.inYourZoneOn" : "events.inYourZone", {
    span,
    city: cityOf(zone),
    day: datePartsIn(startsAt, zone).weekday,
  });
}

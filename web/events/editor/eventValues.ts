import { formatTimeIn } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { academy } from "#web/core/academy/academy.ts";
import { dayIn, browserZone } from "#web/core/format/zone.ts";
import { eventInput, type EventInput } from "#shared/events/eventInput.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

/** The form values. With an empty slug, the server makes one from the title; an empty code keeps the stored one. */
export type EventValues = Omit<EventInput, "accessCode" | "slug"> & { accessCode: string; slug: string };

const fieldNames = Object.keys(eventInput.shape) as (keyof EventValues)[];

/** Default values: in two weeks at 10:00, for 90 minutes. */
export function newValues(now = new Date()): EventValues {
  const zone = academy.get()?.timeZone ?? browserZone();
  const day = dayIn(new Date(now.getTime() + 14 * 86_400_000).toISOString(), zone);
  return {
    ...eventInput.parse({
      title: "-",
      timezone: zone,
      startsLocal: `${day}T10:00`,
      endsLocal: `${day}T11:30`,
      language: i18n.language,
    }),
    title: "",
    accessCode: "",
    slug: "",
  };
}

export const valuesOf = (event: AdminEvent): EventValues => ({
  ...(Object.fromEntries(
    fieldNames.filter((name) => name in event).map((name) => [name, event[name as keyof AdminEvent]]),
  ) as Omit<EventValues, "accessCode">),
  accessCode: "",
});

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The fields that differ from the stored event. */
export const changesOf = (values: EventValues, base: EventValues): Partial<EventValues> =>
  Object.fromEntries(
    fieldNames
      .filter((name) => !isSame(values[name], base[name]) && !(name === "slug" && !values.slug.trim()))
      .map((name) => [name, values[name]]),
  ) as Partial<EventValues>;

/** Whether guests should be notified: time, location or joining link changed. */
export const concernsGuests = (changes: Partial<EventValues>) =>
  (["startsLocal", "endsLocal", "timezone", "venue", "onlineUrl", "attendanceMode"] as const).some(
    (name) => name in changes,
  );

/** The new end if the start moves, so that the event keeps its length. */
export function moveEnd({ startsLocal, endsLocal }: Pick<EventValues, "startsLocal" | "endsLocal">, next: string) {
  const length = Date.parse(`${endsLocal}Z`) - Date.parse(`${startsLocal}Z`);
  const start = Date.parse(`${next}Z`);
  return Number.isFinite(length) && length > 0 && Number.isFinite(start)
    ? new Date(start + length).toISOString().slice(0, 16)
    : endsLocal;
}

/** Local time of an instant in a time zone: `2026-11-26T14:00`. */
export const wallOf = (instant: string, zone: string) => `${dayIn(instant, zone)}T${formatTimeIn(instant, zone)}`;

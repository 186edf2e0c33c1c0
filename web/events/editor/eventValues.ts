import { formatTimeIn } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { dayIn, browserZone } from "#web/core/format/zone.ts";
import { eventInput, type EventInput } from "#shared/eventInput.ts";
import type { AdminEvent } from "#shared/eventViews.ts";

/** What the form holds. An empty slug is made from the title; an empty code leaves the stored one as it is. */
export type EventValues = Omit<EventInput, "accessCode" | "slug"> & { accessCode: string; slug: string };

const names = Object.keys(eventInput.shape) as (keyof EventValues)[];

/** A new event: in two weeks, in the morning, ninety minutes long. */
export function newValues(now = new Date()): EventValues {
  const zone = browserZone();
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
    names.filter((name) => name in event).map((name) => [name, event[name as keyof AdminEvent]]),
  ) as Omit<EventValues, "accessCode">),
  accessCode: "",
});

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The fields that differ from the stored event, as they are sent. */
export const changesOf = (values: EventValues, base: EventValues): Partial<EventValues> =>
  Object.fromEntries(
    names
      .filter((name) => !same(values[name], base[name]) && !(name === "slug" && !values.slug.trim()))
      .map((name) => [name, values[name]]),
  ) as Partial<EventValues>;

/** Whether people who are registered have to know: time, place or link. */
export const concernsGuests = (changes: Partial<EventValues>) =>
  (["startsLocal", "endsLocal", "timezone", "venue", "onlineUrl", "attendanceMode"] as const).some(
    (name) => name in changes,
  );

/** The end moves with the start, so that the event keeps its length. */
export function moveEnd({ startsLocal, endsLocal }: Pick<EventValues, "startsLocal" | "endsLocal">, next: string) {
  const length = Date.parse(`${endsLocal}Z`) - Date.parse(`${startsLocal}Z`);
  const begin = Date.parse(`${next}Z`);
  return Number.isFinite(length) && length > 0 && Number.isFinite(begin)
    ? new Date(begin + length).toISOString().slice(0, 16)
    : endsLocal;
}

/** `2026-11-26T14:00` on the clocks of a zone. */
export const wallOf = (moment: string, zone: string) => `${dayIn(moment, zone)}T${formatTimeIn(moment, zone)}`;

import { Readable } from "node:stream";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http.ts";
import { xlsxOf } from "#server/core/xlsx.ts";
import { allQuestions, asRegistration, registrationsOf } from "#server/events/organiser/organiserRegistrations.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { findEvent } from "#server/events/service.ts";
import { matching } from "#server/events/notifyGuests.ts";
import { wallClock } from "#server/events/eventTimes.ts";
import type { Question } from "#shared/eventQuestions.ts";
import type { Registration, registrationFilter } from "#shared/eventRegistrations.ts";
import type { User } from "#shared/users.ts";
import type { z } from "zod";

type Filter = z.output<typeof registrationFilter>;
type Row = (string | number)[];
/** Rows read from the database at a time. */
const BATCH = 500;

/** A file of registrations: its name, its kind, and its bytes as they come. */
export async function exportRegistrations(ctx: Ctx<User>, eventId: string, kind: "csv" | "xlsx", filter: Filter) {
  const event = await findEvent(ctx.db, eventId);
  const questions = await allQuestions(ctx, event);
  const rows = rowsOf(ctx, event, questions, filter);
  await record(ctx.db, ctx, {
    action: "events.export",
    companyId: event.companyId,
    details: { event: event.slug, format: kind },
  });
  const name = `${event.slug}.${kind}`;
  if (kind === "csv") return { name, type: "text/csv; charset=utf-8", body: Readable.from(asCsv(rows)) };
  return {
    name,
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    body: Readable.from(xlsxOf(rows, "Registrations")),
  };
}

async function* rowsOf(ctx: Ctx<User>, event: EventRow, questions: Question[], filter: Filter): AsyncGenerator<Row> {
  const asked = new Set(((event.questions ?? []) as unknown as Question[]).map(({ id }) => id));
  yield [
    "Reference",
    "State",
    "Name",
    "Email",
    "Email confirmed",
    "Company",
    "Attendance",
    `Registered (${event.timezone})`,
    "Confirmed",
    "Checked in",
    "Waiting list",
    "News by mail",
    ...questions.map(({ id, label }) => (asked.has(id) ? label : `${label} (no longer asked)`)),
  ];
  const clock = wallClock(event.timezone);
  const time = (instant: string | null) => (instant ? clock(instant) : "");
  for (let after = -1; ;) {
    const found = await registrationsOf(ctx.db, event)
      .where(matching(filter))
      .where("queueNumber", ">", after)
      .orderBy("queueNumber")
      .limit(BATCH)
      .execute();
    for (const row of found.map((one) => asRegistration(event, one))) yield cellsOf(row, questions, time);
    const last = found.at(-1);
    if (!last || found.length < BATCH) return;
    after = last.queueNumber;
  }
}

function cellsOf(row: Registration, questions: Question[], time: (instant: string | null) => string): Row {
  const answers = questions
    .map(({ id }) => row.answers[id] ?? "")
    .map((answer) => (Array.isArray(answer) ? answer.join("; ") : answer));
  return [
    row.reference,
    row.state,
    row.name,
    row.email,
    row.emailVerified ? "yes" : "no",
    row.company,
    row.attendance,
    time(row.createdAt),
    time(row.confirmedAt),
    time(row.attendedAt),
    row.waitlistPosition ?? "",
    row.marketingOptIn ? "yes" : "no",
    ...answers,
  ];
}

/** Lines as spreadsheets read them (RFC 4180, with a byte order mark for umlauts). */
async function* asCsv(rows: AsyncIterable<Row>) {
  yield "\ufeff";
  for await (const row of rows) yield `${row.map(csvCell).join(",")}\r\n`;
}

/** One cell. What a spreadsheet would run as a formula gets an apostrophe in front, which it shows as text. */
export function csvCell(value: string | number) {
  const text = typeof value === "string" && /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u.test(value) ? `'${value}` : String(value);
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

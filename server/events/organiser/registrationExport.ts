import { Readable } from "node:stream";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { xlsxOf } from "#server/core/export/xlsx.ts";
import { allQuestions, toRegistration, registrationsOf } from "#server/events/organiser/organiserRegistrations.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { findEvent } from "#server/events/eventChanges.ts";
import { matchesFilter } from "#server/events/guestMails.ts";
import { wallTimeFormatter } from "#server/events/eventTimes.ts";
import { CSV_START, csvRow } from "#shared/core/csv.ts";
import type { Question } from "#shared/events/eventQuestions.ts";
import type { User } from "#shared/core/users.ts";
import type { Registration, RegistrationFilter } from "#shared/events/registrationRows.ts";

type Row = (string | number)[];
/** Rows read from the database in one query. */
const BATCH = 500;

/** An export of registrations: file name, media type and a stream of its bytes. */
export async function exportRegistrations(
  ctx: Ctx<User>,
  eventId: string,
  kind: "csv" | "xlsx",
  filter: RegistrationFilter,
) {
  const event = await findEvent(ctx, eventId);
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

async function* rowsOf(
  ctx: Ctx<User>,
  event: EventRow,
  questions: Question[],
  filter: RegistrationFilter,
): AsyncGenerator<Row> {
  const currentIds = new Set(event.questions.map(({ id }) => id));
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
    "News by email",
    ...questions.map(({ id, label }) => (currentIds.has(id) ? label : `${label} (no longer asked)`)),
  ];
  const format = wallTimeFormatter(event.timezone);
  const time = (instant: string | null) => (instant ? format(instant) : "");
  for (let after = -1; ;) {
    const batch = await registrationsOf(ctx.db, event)
      .where(matchesFilter(filter))
      .where("queueNumber", ">", after)
      .orderBy("queueNumber")
      .limit(BATCH)
      .execute();
    for (const row of batch) yield cellsOf(toRegistration(event, row), questions, time);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
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

/** CSV lines, preceded by a byte order mark. */
async function* asCsv(rows: AsyncIterable<Row>) {
  yield CSV_START;
  for await (const row of rows) yield csvRow(row);
}

import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { activeUsers, userColumns } from "#server/auth/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";
import { readReport } from "#server/reports/figures/report.ts";
import { nextMailAt } from "#server/reports/views/schedule.ts";
import { readSettings } from "#server/settings/service.ts";
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import { minutesOf } from "#shared/core/dates.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";
import type { Report } from "#shared/reports/reports.ts";
import { isAdmin, isInScope, type User } from "#shared/core/users.ts";
import { reportQuery } from "#shared/reports/reportQueries.ts";
import { reportOfPath, type Rhythm } from "#shared/reports/views.ts";

/** In place of a figure that there is not, or that the company has switched off. */
const NOT_SHOWN = "–";
const number = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const formatDay = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );
function percentOf(part: number, whole: number) {
  const percent = shareOf(part, whole);
  return percent === null ? "" : ` (${roundPercent(percent)} %)`;
}
const compare = (now: number | null, before: number | null, unit = "") =>
  [now, before]
    .map((value) => (value === null ? NOT_SHOWN : `${number.format(value)} ${unit}`.trim()))
    .join(", before: ");

/** The figures of a report in an email, without names of people, with a link to the report. */
function figuresMail(academy: string, view: string, { kind, title, filters, figures }: Report, url: string) {
  const { totals, period, before } = figures;
  const names = texts.report.figures;
  const days = `${formatDay(filters.from)} to ${formatDay(filters.to)}`;
  const mail = renderMail({
    name: academy,
    paragraphs: [
      kind === "learner" ? view : `${view}: ${title}`,
      `In the period from ${days}, and in the same number of days before:`,
    ],
    facts: [
      [texts.report.groups.assignedIn, compare(period.assignedIn, before.assignedIn)],
      [texts.report.groups.startedIn, compare(period.startedIn, before.startedIn)],
      [texts.report.groups.completedIn, compare(period.completedIn, before.completedIn)],
      kind === "learner"
        ? [names.activeSeconds, compare(minutesOf(period.activeSeconds), minutesOf(before.activeSeconds), "min")]
        : [names.activePeople, compare(period.activePeople, before.activePeople)],
      [`${names.assigned}, today`, number.format(totals.assigned)],
      [`${names.completed}, today`, number.format(totals.completed) + percentOf(totals.completed, totals.assigned)],
      [`${names.overdue}, today`, number.format(totals.overdue)],
      [names.meanScore, totals.meanScore === null ? NOT_SHOWN : `${roundPercent(totals.meanScore)} %`],
    ],
    button: { label: "Open the report", url },
    footer: "You get this email because you chose it for this saved view. Change it on the page, under Views.",
  });
  const completed = `${number.format(totals.completed)} of ${number.format(totals.assigned)} completed`;
  return { subject: `${view}: ${completed}, ${number.format(totals.overdue)} overdue`, ...mail };
}

/**
 * The report of a view as its page shows it; null if the company, course or learner is gone, or its period has become
 * too long. Days are counted in the time zone of the company; for a course, in that of the reader.
 */
async function readViewedReport(services: Services, user: User, view: { path: string; query: string; zone: string }) {
  const report = reportOfPath(view.path);
  const zone = report?.kind === "course" ? { zone: view.zone } : {};
  const query = reportQuery.safeParse({ ...zone, ...Object.fromEntries(new URLSearchParams(view.query)) });
  if (!report || !query.success) return null;
  return readReport({ ...services, user }, report.id, query.data).catch((error: unknown) => {
    if (error instanceof Problem && [404, 422].includes(error.status)) return null;
    throw error;
  });
}

type Due = { viewId: string; userId: string; rhythm: Rhythm; zone: string; nextAt: string };

/** The view and the report of a due email; null if the recipient may no longer see the view. */
async function readViewOf(services: Services, { viewId, userId, zone }: Due) {
  const { db } = services;
  const view = await db.selectFrom("savedViews").where("id", "=", viewId).selectAll().executeTakeFirst();
  const user = await activeUsers(db).where("users.id", "=", userId).select(userColumns).executeTakeFirst();
  if (!view || !user || user.email === null) return null;
  if (!isAdmin(user) || !isInScope(user, view) || !(view.isShared || view.ownerId === userId)) return null;
  const report = await readViewedReport(services, user, { ...view, zone });
  return report && { view, user: { ...user, email: user.email }, report };
}

/**
 * Sets the time of the following email, or deletes the choice if there is none. Returns false if another node was
 * faster, the person chose another rhythm, or the view was deleted.
 */
async function claim(tx: Tx, { viewId, userId, nextAt }: Due, following: RawBuilder<string> | null) {
  const isSame = sql<boolean>`view_id = ${viewId} and user_id = ${userId} and next_at = ${nextAt}`;
  const [changed] = following
    ? await tx.updateTable("viewMails").set({ nextAt: following }).where(isSame).returning("viewId").execute()
    : await tx.deleteFrom("viewMails").where(isSame).returning("viewId").execute();
  return changed !== undefined;
}

/**
 * Sends the next due email exactly once: the time of the following one is set in the transaction that queues it. The
 * report is read before that transaction, so that no row is locked meanwhile. Returns false if no email is due.
 */
async function sendNext(services: Services) {
  const due = await services.db
    .selectFrom("viewMails")
    .where("nextAt", "<=", sql<string>`now()`)
    .orderBy("nextAt")
    .limit(1)
    .select(["viewId", "userId", "rhythm", "zone", sql<string>`next_at::text`.as("nextAt")])
    .executeTakeFirst();
  if (!due) return false;
  const content = await readViewOf(services, due).catch((error: unknown) => {
    services.log.error({ err: error, viewId: due.viewId }, "figures of a view cannot be read; tried again in an hour");
    return "failed" as const;
  });
  await inTransaction(services.db, async (tx) => {
    if (content === "failed") return claim(tx, due, sql`now() + interval '1 hour'`);
    const following = content && nextMailAt(due.rhythm, due.zone);
    if (!(await claim(tx, due, following)) || !content) return;
    const { view, user, report } = content;
    const { academyName } = await readSettings(tx);
    const url = `${services.config.publicUrl}${view.path}${view.query ? `?${view.query}` : ""}`;
    const mail = figuresMail(academyName, view.name, report, url);
    const { id: userId, email, companyId } = user;
    await enqueueMail(services, tx, { recipient: email, userId, companyId, reason: "reports.figures", ...mail });
  });
  return true;
}

/** Sends the figures of saved views to the people who chose that, every Monday or on the first of each month. */
export const sendViewMails = job(
  "reports:sendViewMails",
  z.object({}),
  async (services) => {
    while (await sendNext(services)) services.log.debug("figures of a view queued");
  },
  "*/10 * * * *",
);

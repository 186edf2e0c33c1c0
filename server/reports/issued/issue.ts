import { createHash } from "node:crypto";
import { sql } from "kysely";
import { record, recordView } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Counted } from "#server/reports/figures/assignments.ts";
import { readFigures } from "#server/reports/figures/figures.ts";
import { openSubject, resolveQuery } from "#server/reports/figures/report.ts";
import { hideFigures, listHiddenIn } from "#server/reports/issued/hidden.ts";
import texts from "#shared/locales/en/reports.json" with { type: "json" };
import type { ReportFigures, ReportKind } from "#shared/reports/reportFigures.ts";
import type { reports } from "#shared/reports/reports.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { isAdmin, type User } from "#shared/core/users.ts";
import type { IssuedReport } from "#shared/reports/issuedReports.ts";
import type { ReportFilters } from "#shared/reports/reportQueries.ts";

const SCOPE = { company: "issuedReports.companyId", person: "issuedReports.personId" };
/** The most reports that a learner may issue in a day. */
export const MAX_OWN_A_DAY = 20;
const { erased } = texts.report;
type Value = number | string | null;
export type Flat = Record<string, Value>;

/**
 * Every figure by its path, such as `split.7f….completed`. The entries of a list are named by their id, week or
 * position, not by their index, so that their order does not matter.
 */
export function flattenFigures(value: unknown, path = ""): Flat {
  if (value === null || typeof value !== "object") return { [path]: value as Value };
  const entries = Array.isArray(value)
    ? value.map((one, index) => [String(one?.id ?? one?.week ?? one?.position ?? index), one] as const)
    : Object.entries(value).filter(([name]) => !["id", "week", "position"].includes(name));
  return Object.assign({}, ...entries.map(([name, one]) => flattenFigures(one, path ? `${path}.${name}` : name)));
}

/** SHA-256 over the filters and every figure, one line each, sorted by path. Names are not part of it. */
export function digestOf(kind: ReportKind, asOf: string, filters: ReportFilters, figures: ReportFigures) {
  const lines = Object.entries({
    ...flattenFigures(figures, "figures"),
    ...flattenFigures(filters, "filters"),
    kind,
    asOf: new Date(asOf).toISOString(),
  }).map(([path, value]) => `${path}=${JSON.stringify(value)}`);
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
}

/**
 * Issues a report: its figures are stored, without names. It is as of an earlier day, or the last quarter of an hour
 * that ended more than a minute ago: transactions of that time have committed, and an erasure, which rounds times down
 * to the quarter of an hour, does not change its figures.
 */
export async function issueReport(
  ctx: Ctx<User>,
  id: string,
  body: BodyOf<typeof reports.issue>,
): Promise<IssuedReport> {
  const subject = await openSubject(ctx, id);
  const { id: issuedBy } = ctx.user;
  const isOwn = !isAdmin(ctx.user);
  const { counted } = await resolveQuery(ctx, subject, body);
  const { rows } = await sql<{ asOf: string }>`
    select least(
      ${counted.asOf}::timestamptz,
      date_bin('15 minutes', clock_timestamp() - interval '1 minute', '2000-01-01')
    ) as as_of`.execute(ctx.db);
  const { asOf } = rows[0] as { asOf: string };
  const figures = await readFigures(ctx.db, subject.kind, { ...counted, asOf, withHidden: true });
  const issued = await inTransaction(ctx.db, async (tx) => {
    const { filters, personId = null } = counted;
    if (isOwn) await limitOwn(tx, issuedBy);
    const row = await tx
      .insertInto("issuedReports")
      .values({
        kind: subject.kind,
        companyId: filters.companyId,
        courseId: filters.courseId,
        personId,
        filters: JSON.stringify(filters),
        asOf,
        figures: JSON.stringify(figures),
        digest: digestOf(subject.kind, asOf, filters, figures),
        rows: figures.totals.assigned,
        issuedBy,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, {
      action: "reports.issue",
      ...(personId && { people: [personId] }),
      companyId: subject.companyId ?? filters.companyId,
      courseId: filters.courseId,
    });
    return row.id;
  });
  return (await readIssued(ctx, issued)).report;
}

/** Throws 409 if a learner has issued too many reports in a day: each is kept for good. */
async function limitOwn(tx: Tx, userId: string) {
  await tx.selectFrom("users").where("id", "=", userId).select("id").forUpdate().execute();
  const { count } = await tx
    .selectFrom("issuedReports")
    .where("issuedBy", "=", userId)
    .where("issuedAt", ">", sql<string>`now() - interval '1 day'`)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_OWN_A_DAY) throw conflict("reports.tooManyIssued", undefined, { count: MAX_OWN_A_DAY });
}

const issuedYear = sql`extract(year from issued_reports.issued_at at time zone 'UTC')`;
const erasedTitle = sql`replace(${erased}, '{{number}}', upper(left(issued_reports.person_id::text, 4)))`;
const selectIssued = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("issuedReports")
    .leftJoin("companies", "companies.id", "issuedReports.companyId")
    .leftJoin("courses", "courses.id", "issuedReports.courseId")
    .leftJoin("users", "users.id", "issuedReports.issuedBy")
    .leftJoin("users as learners", "learners.id", "issuedReports.personId")
    .where(inScope(user, SCOPE))
    .select([
      "issuedReports.id",
      sql<string>`'R-' || ${issuedYear} || '-' || lpad(issued_reports.number::text, 5, '0')`.as("number"),
      "issuedReports.kind",
      sql<string>`coalesce(
        case issued_reports.kind
          when 'company' then companies.name
          when 'course' then courses.title
          else coalesce(nullif(learners.name, ''), learners.email, ${erasedTitle})
        end,
        ''
      )`.as("title"),
      "issuedReports.filters",
      "issuedReports.asOf",
      "issuedReports.digest",
      "issuedReports.rows",
      "issuedReports.issuedAt",
      "users.name as issuedBy",
    ]);

/** One page of the issued reports, newest first; `q` is a number such as `R-2026-00012`, or the last digits of one. */
export function listIssued(ctx: Ctx<User>, query: QueryOf<typeof reports.issued>) {
  const digits = query.q === undefined ? null : (/(\d{1,9})$/.exec(query.q)?.[1] ?? "-1");
  const matching = ctx.db
    .selectFrom("issuedReports")
    .where(inScope(ctx.user, SCOPE))
    .$if(digits !== null, (rows) => rows.where("number", "=", Number(digits)));
  return readPage(query, {
    ids: matching.orderBy("issuedAt", "desc").orderBy("id").select("id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectIssued(ctx).where(isOneOf("issuedReports.id", ids)).execute(),
  });
}

/** An issued report in the scope of the user, with its figures; 404 for any other. */
export async function readIssued(ctx: Ctx<User>, id: string) {
  const { figures, personId, learnerId, learnerCompanyId, learnerEmail, learnerCompany, ...report } =
    await selectIssued(ctx)
      .where("issuedReports.id", "=", id)
      .select(["issuedReports.figures", "issuedReports.personId"])
      .leftJoin("companies as employers", "employers.id", "learners.companyId")
      .select(["learners.id as learnerId", "learners.companyId as learnerCompanyId", "learners.email as learnerEmail"])
      .select("employers.name as learnerCompany")
      .executeTakeFirstOrThrow(notFound);
  const counted: Counted = { user: ctx.user, filters: report.filters, asOf: report.asOf, personId };
  const companyId = learnerCompanyId ?? report.filters.companyId;
  const hidden = await listHiddenIn(ctx.db, ctx.user, { companyId, personId: learnerId });
  // Of an erased learner only a number remains, which must not be logged.
  const about = {
    ...(learnerId && { people: [learnerId] }),
    companyId,
    courseId: report.filters.courseId,
  };
  return {
    report,
    figures,
    hidden,
    counted,
    about,
    facts: [learnerEmail, learnerCompany].filter((fact) => fact !== null),
  };
}

/** Computes an issued report again, as of its time, and compares it figure by figure. */
export async function checkIssued(ctx: Ctx<User>, id: string) {
  const { report, figures, hidden, counted, about } = await readIssued(ctx, id);
  const { people, companyId } = about;
  if (people) await recordView(ctx, "reports.open", people[0] as string, { companyId });
  const recount = await readFigures(ctx.db, report.kind, { ...counted, withHidden: true });
  const [issued, recounted] = [figures, recount].map((one) => flattenFigures(hideFigures(one, hidden))) as [Flat, Flat];
  const paths = [...new Set([...Object.keys(issued), ...Object.keys(recounted)])];
  const compared = paths.map((path) => ({ path, issued: issued[path] ?? null, counted: recounted[path] ?? null }));
  return {
    report,
    isDigestRight: digestOf(report.kind, report.asOf, report.filters, figures) === report.digest,
    figures: compared,
    different: compared.filter((one) => one.issued !== one.counted).length,
    checkedAt: new Date().toISOString(),
  };
}

import { sql } from "kysely";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { recordView } from "#server/audit/service.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { badField } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Counted } from "#server/reports/figures/assignments.ts";
import { readFigures } from "#server/reports/figures/figures.ts";
import { listHiddenIn } from "#server/reports/issued/hidden.ts";
import { getLearner } from "#server/learners/service.ts";
import { readAcademyZone } from "#server/settings/service.ts";
import { defaultPeriods } from "#shared/core/periods.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";
import { isAdmin, scopeOf, type User } from "#shared/core/users.ts";
import { isReportPeriod, reportQuery } from "#shared/reports/reportQueries.ts";
import type { z } from "zod";
import { isListed } from "#shared/player/player.ts";

type Query = z.output<typeof reportQuery>;
/** What a report is about. `zone`: the default time zone of its days; `companyId`: the company of a learner. */
export type Subject = { kind: ReportKind; id: string; title: string; zone: string; companyId?: string | null };

/**
 * The company, course or learner with this id, in the scope of the user; 404 for any other. Learners find only
 * themselves.
 */
export async function findSubject(ctx: Ctx<User>, id: string): Promise<Subject> {
  const { db, user } = ctx;
  if (!isAdmin(user)) return findLearner(ctx, id);
  const company = await db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select(["name as title", "timezone as zone"])
    .executeTakeFirst();
  if (company) return { kind: "company", id, ...company };
  const course = await db.selectFrom("courses").where("id", "=", id).select("title").executeTakeFirst();
  return course ? { kind: "course", id, ...course, zone: await readAcademyZone(db) } : findLearner(ctx, id);
}

/** A learner in the scope of the user, as what a report is about. */
export async function findLearner(ctx: Ctx<User>, id: string): Promise<Subject> {
  const { name, email, companyId } = await getLearner(ctx, id);
  const company = await ctx.db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select("timezone")
    .executeTakeFirst();
  return {
    kind: "learner",
    id,
    title: name || email || "",
    zone: company?.timezone ?? (await readAcademyZone(ctx.db)),
    companyId,
  };
}

/** Finds the subject, and records that an admin reads about one person. */
export async function openSubject(ctx: Ctx<User>, id: string) {
  const subject = await findSubject(ctx, id);
  if (subject.kind === "learner") await recordView(ctx, "reports.open", id, { companyId: subject.companyId ?? null });
  return subject;
}

/**
 * What a query counts: `asOf` is the end of a day in the zone, at most now. The period ends with that day unless the
 * query says otherwise. `isLive` if it counts everything up to now. Without a zone in the query, the days are those of
 * the subject or, in the report of a course limited to one company, of that company.
 */
export async function resolveQuery(ctx: Ctx<User>, subject: Subject, query: Query) {
  const scope = scopeOf(ctx.user);
  const companyId = query.companyId ?? (scope.kind === "company" ? scope.companyId : null);
  const ofCompany = await readZone(ctx, companyId);
  const zone = query.zone ?? (subject.kind === "course" ? ofCompany : null) ?? subject.zone;
  const days = (query.days ?? defaultPeriods.report) - 1;
  const { rows } = await sql<{ now: string; asOf: string; from: string; to: string }>`
    with times as (
      select
        clock_timestamp() as now,
        (${query.asOf ?? null}::date + 1)::timestamp at time zone ${zone} as day_end
    ),
    days as (
      select now, least(now, coalesce(day_end, now)) as as_of
      from times
    ),
    ends as (
      select
        now,
        as_of,
        coalesce(${query.to ?? null}::date, ((as_of - interval '1 microsecond') at time zone ${zone})::date) as until
      from days
    )
    select
      now,
      as_of,
      until::text as to,
      coalesce(${query.from ?? null}::date, until - ${days}::int)::text as from
    from ends`.execute(ctx.db);
  const { now, asOf, from, to } = rows[0] as (typeof rows)[number];
  // The contract checks the length only of a period with both days.
  if (from <= to && !isReportPeriod[0]({ from, to })) throw badField("from", "reports.period");
  const subjectFilter = {
    ...(subject.kind === "company" && { companyId: subject.id }),
    ...(subject.kind === "course" && { courseId: subject.id }),
  };
  const counted: Counted = {
    personId: subject.kind === "learner" ? subject.id : null,
    user: ctx.user,
    asOf,
    filters: {
      from: from > to ? to : from,
      to,
      zone,
      companyId,
      courseId: query.courseId ?? null,
      ...(query.groupId && { groupId: await findGroup(ctx, query.groupId, subject, companyId) }),
      ...subjectFilter,
    },
  };
  return { counted, isLive: asOf === now };
}

/** A group in the scope of the user, of the company that the report is about. Throws 422 for any other. */
async function findGroup(
  { db, user }: Ctx<User>,
  id: string,
  { kind, id: subjectId }: Subject,
  companyId: string | null,
) {
  const ofReport = kind === "company" ? subjectId : companyId;
  const group = await db
    .selectFrom("groups")
    .where("id", "=", id)
    .where("removedAt", "is", null)
    .where(inScope(user, { company: "groups.companyId" }))
    .select(["id", "companyId"])
    .executeTakeFirst();
  if (!group) throw badField("groupId", "core.notFound");
  if (ofReport && group.companyId !== ofReport) throw badField("groupId", "groups.notOfCompany");
  return group.id;
}

/**
 * The time zone of the company that a report is limited to: its days are those of the report of that company. Throws
 * 422 if the user may not read the company; learners may only read their own.
 */
async function readZone({ db, user }: Ctx<User>, companyId: string | null) {
  if (!companyId) return null;
  const { companyId: own } = user;
  const mayRead = isAdmin(user) ? inScope(user, { company: "companies.id" }) : sql<boolean>`id = ${own}`;
  const company = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .where(mayRead)
    .select("timezone")
    .executeTakeFirst();
  if (!company) throw badField("companyId", "core.notFound");
  return company.timezone;
}

/**
 * The report of a company, a course or a learner, with the names of what it splits into. Simultaneous requests for the
 * same one share a reading: large ones take a while, and admins open them at the same time of the day.
 */
export async function readReport(ctx: Ctx<User>, id: string, query: Query): Promise<Report> {
  const subject = await openSubject(ctx, id);
  return shareReading(ctx, ["report", scopeOf(ctx.user), subject, query], () => computeReport(ctx, subject, query));
}

async function computeReport(ctx: Ctx<User>, subject: Subject, query: Query): Promise<Report> {
  const { kind, id, title } = subject;
  const { counted, isLive } = await resolveQuery(ctx, subject, query);
  const { filters, asOf } = counted;
  const [figures, parts, firstRow] = await Promise.all([
    readFigures(ctx.db, kind, counted),
    kind === "course" ? readPartTitles(ctx, id) : [],
    ctx.db
      .selectFrom("enrolmentHistory")
      .where(inScope(ctx.user, { company: "enrolmentHistory.companyId", person: "enrolmentHistory.personId" }))
      .orderBy("id")
      .limit(1)
      .select("recordedAt")
      .executeTakeFirst(),
  ]);
  const names = await readNames(
    ctx,
    kind,
    figures.split.map(({ id }) => id),
  );
  const hidden = await listHiddenIn(ctx.db, ctx.user, {
    companyId: filters.companyId,
    personId: counted.personId ?? null,
  });
  return {
    kind,
    title,
    filters,
    asOf,
    isLive,
    recordedSince: firstRow?.recordedAt ?? null,
    figures,
    parts,
    names,
    hidden: [...hidden],
  };
}

/** Titles of the parts of the version in use, in order, without headings. */
export async function readPartTitles({ db }: Ctx<User>, courseId: string) {
  const live = await db
    .selectFrom("courses")
    .innerJoin("courseVersions", "courseVersions.id", "courses.liveVersionId")
    .where("courses.id", "=", courseId)
    .select("parts")
    .executeTakeFirst();
  return (live?.parts ?? []).filter(isListed).map((part) => part.title);
}

/** Titles of courses for a company or a learner, names of companies for a course, by id. Deleted ones have none. */
export async function readNames({ db, user }: Ctx<User>, kind: ReportKind, ids: string[]) {
  const rows =
    kind !== "course"
      ? await db.selectFrom("courses").where(isOneOf("courses.id", ids)).select(["id", "title as name"]).execute()
      : await db
          .selectFrom("companies")
          .where(isOneOf("companies.id", ids))
          .where(inScope(user, { company: "companies.id" }))
          .select(["id", "name"])
          .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

import { sql } from "kysely";
import { compareFiles, digestOf } from "#server/auditPacks/content/pack.ts";
import { readCourses } from "#server/auditPacks/content/requirementFiles.ts";
import type { Pack } from "#server/auditPacks/content/packFile.ts";
import type { Db } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { hiddenKindsAt, listHidden } from "#server/core/database/measured.ts";
import type { AuditPack } from "#shared/auditPacks/auditPacks.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { User } from "#shared/core/users.ts";

type Scoped = { db: Db; user: User };

/** SQL condition: the link of `audit_links` works now. */
export const isWorking = sql<boolean>`(audit_links.ended_at is null and audit_links.until > now())`;

export const selectPacks = (db: Db) =>
  db
    .selectFrom("auditPacks")
    .innerJoin("companies", "companies.id", "auditPacks.companyId")
    .select([
      "auditPacks.id",
      "auditPacks.number",
      "auditPacks.companyId",
      "companies.name as company",
      "auditPacks.courseIds",
      sql<string>`audit_packs.from_day::text`.as("fromDay"),
      sql<string>`audit_packs.to_day::text`.as("toDay"),
      "auditPacks.asOf",
      sql<string>`audit_packs.as_of_day::text`.as("day"),
      "auditPacks.zone",
      "auditPacks.state",
      "auditPacks.files",
      "auditPacks.counts",
      "auditPacks.checkedFiles",
      "auditPacks.checkedAt",
      "auditPacks.madeAt",
      "auditPacks.createdAt",
    ])
    .select(
      sql<MeasuredKind[]>`array(${hiddenKindsAt(sql`audit_packs.company_id`, sql`audit_packs.created_at`)})`.as(
        "hidden",
      ),
    );
export type PackRow = Awaited<ReturnType<ReturnType<typeof selectPacks>["executeTakeFirstOrThrow"]>>;

/** What the files of a pack are made from. */
export const toPack = ({
  id,
  number,
  companyId,
  courseIds,
  fromDay,
  toDay,
  asOf,
  day,
  zone,
  hidden,
}: PackRow): Pack => ({
  id,
  number,
  companyId,
  courseIds,
  fromDay,
  toDay,
  at: new Date(asOf).toISOString(),
  day,
  zone,
  hidden,
});

/** Throws 409 if the company has switched off since what the pack contains. */
export async function refuseOutdated(db: Db, { companyId, hidden }: Pick<PackRow, "companyId" | "hidden">) {
  const now = await listHidden(db, null, [companyId]);
  const contained = (["scores", "activeTime"] as const).filter((kind) => !hidden.includes(kind));
  if (contained.some((kind) => now.has(kind))) throw conflict("auditPacks.switchedOff");
}

/** A pack of a company in the scope of the user; 404 for any other. */
export const readPack = ({ db, user }: Scoped, id: string) =>
  selectPacks(db)
    .where("auditPacks.id", "=", id)
    .where(inScope(user, { company: "auditPacks.companyId" }))
    .executeTakeFirstOrThrow(notFound);

/** Packs as admins see them, in the order of the rows. */
export async function showPacks(db: Db, rows: PackRow[]): Promise<AuditPack[]> {
  const { rows: details } = await sql<{ id: string; requestedBy: string | null; links: number }>`
    select
      audit_packs.id,
      coalesce(nullif(users.name, ''), users.email) as requested_by,
      (
        select count(*)::int
        from audit_links
        where audit_links.pack_id = audit_packs.id
          and ${isWorking}
      ) as links
    from audit_packs
    left join users on users.id = audit_packs.requested_by
    where audit_packs.id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  const courses = await readCourses(db, [...new Set(rows.flatMap(({ courseIds }) => courseIds))]);
  const titles = new Map(courses.map((course) => [course.id, course.title]));
  const byId = new Map(details.map((one) => [one.id, one]));
  return rows.map((row) => {
    const { id, number, companyId, courseIds, fromDay, toDay, day, zone, state, files, checkedFiles } = row;
    const checks = new Map(
      files && checkedFiles ? compareFiles(files, checkedFiles).map(({ path, check }) => [path, check]) : [],
    );
    const added = (checkedFiles ?? []).filter(({ path }) => files?.every((file) => file.path !== path));
    return {
      id,
      number,
      companyId,
      courses: courseIds.map((courseId) => ({ id: courseId, title: titles.get(courseId) as string })),
      from: fromDay,
      to: toDay,
      asOf: row.asOf,
      day,
      zone,
      state,
      files:
        files
          ?.concat(files.length > 0 ? added : [])
          .map((file) => ({ ...file, check: checks.get(file.path) ?? null })) ?? null,
      digest: files && digestOf(toPack(row), files),
      requestedBy: byId.get(id)?.requestedBy ?? null,
      createdAt: row.createdAt,
      madeAt: row.madeAt,
      checkedAt: row.checkedAt,
      links: byId.get(id)?.links ?? 0,
    };
  });
}

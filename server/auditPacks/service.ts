import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { zipPack } from "#server/auditPacks/content/pack.ts";
import { makePacks } from "#server/auditPacks/jobs.ts";
import { type PackRow, readPack, refuseOutdated, selectPacks, showPacks, toPack } from "#server/auditPacks/packRows.ts";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { endOfDay, type Moment, termsAsOf } from "#server/requirements/history/held.ts";
import { readCompany } from "#server/requirements/requirementRows.ts";
import { type auditPacks, MAX_PACKS, type PackInput } from "#shared/auditPacks/auditPacks.ts";
import { numberOf, RANDOM_CHARACTERS } from "#shared/certificates/numbers.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** A pack of now is of some seconds ago, and of before every transaction that is still storing something. */
const SETTLING_SECONDS = 5;
/** A transaction that has taken longer is not waited for, in minutes. */
const LONGEST_MINUTES = 10;

/** One page of the packs of a company in the scope of the user, newest first. */
export async function listPacks(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof auditPacks.list>) {
  await readCompany(ctx, companyId);
  const ofCompany = ctx.db.selectFrom("auditPacks").where("auditPacks.companyId", "=", companyId);
  const found = await readPage<PackRow>(query, {
    ids: ofCompany.orderBy("auditPacks.createdAt", "desc").orderBy("auditPacks.id").select("auditPacks.id"),
    total: ofCompany.select(sql<number>`count(*)::int`.as("total")),
    rows: (ids) => selectPacks(ctx.db).where(isOneOf("auditPacks.id", ids)).execute(),
  });
  return { ...found, items: await showPacks(ctx.db, found.items) };
}

export async function getPack(ctx: Ctx<User>, id: string) {
  const [shown] = await showPacks(ctx.db, [await readPack(ctx, id)]);
  if (!shown) throw notFound();
  return shown;
}

/** The time as of which a new pack is read: the end of a day that is over, or some seconds ago. */
async function momentOf(db: Db, company: { id: string; zone: string; today: string }, day: string | null) {
  if (day !== null) return endOfDay(db, company, day);
  const { rows } = await sql<{ at: string; day: string }>`
    select at, (at at time zone ${company.zone})::date::text as day
    from (
      select least(
        now() - make_interval(secs => ${SETTLING_SECONDS}),
        (
          select min(xact_start)
          from pg_stat_activity
          where datname = current_database()
            and backend_xid is not null
            and pid <> pg_backend_pid()
            and xact_start > now() - make_interval(mins => ${LONGEST_MINUTES})
        )
      ) as at
    ) settled`.execute(db);
  const [settled] = rows as [{ at: string; day: string }];
  return { companyId: company.id, at: new Date(settled.at).toISOString(), day: settled.day, zone: company.zone };
}

/** The courses that were required at the time, in the order of their titles; of these, those that are asked for. */
async function chooseCourses(db: Db, moment: Moment, asked: string[]) {
  const { rows } = await sql<{ courseId: string }>`
    select terms.course_id
    from (${termsAsOf(moment)}) terms
    left join courses on courses.id = terms.course_id
    order by lower(courses.title), terms.course_id`.execute(db);
  const required = rows.map(({ courseId }) => courseId);
  if (required.length === 0) throw conflict("auditPacks.nothingRequired");
  if (asked.some((id) => !required.includes(id))) throw badField("courseIds", "auditPacks.notRequired");
  return asked.length === 0 ? required : required.filter((id) => asked.includes(id));
}

/** Orders a pack of a company in the scope of the user; a job makes it. */
export async function createPack(ctx: Ctx<User>, companyId: string, { from, to, asOf, courseIds }: PackInput) {
  const id = await inTransaction(ctx.db, async (tx) => {
    const company = await readCompany({ ...ctx, db: tx }, companyId);
    const { name } = await tx
      .selectFrom("companies")
      .where("id", "=", companyId)
      .select("name")
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const moment = await momentOf(tx, company, asOf);
    if (to > moment.day) throw badField("to", "auditPacks.tooLate");
    const { count } = await tx
      .selectFrom("auditPacks")
      .where("companyId", "=", companyId)
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_PACKS) throw conflict("auditPacks.tooMany", undefined, { count: MAX_PACKS });
    const made = await tx
      .insertInto("auditPacks")
      .values({
        // Not the number of a certificate or a transcript.
        number: `A-${numberOf(name, randomBytes(RANDOM_CHARACTERS * 8))}`,
        companyId,
        courseIds: await chooseCourses(tx, moment, courseIds),
        fromDay: from,
        toDay: to,
        asOf: moment.at,
        asOfDay: moment.day,
        zone: moment.zone,
        requestedBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "auditPacks.create", companyId });
    await makePacks.enqueue(tx, {});
    return made.id;
  });
  return getPack(ctx, id);
}

/** Has the files of a pack made again and compared; a pack that was never made is tried again. */
export async function checkPack(ctx: Ctx<User>, id: string) {
  const { companyId } = await readPack(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("auditPacks")
      .set({ state: sql`case when files is null then 'waiting' else 'checking' end`, tries: 0, leasedUntil: null })
      .where("id", "=", id)
      .where("state", "in", ["made", "failed"])
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await record(tx, ctx, { action: "auditPacks.check", companyId });
    await makePacks.enqueue(tx, {});
  });
  return getPack(ctx, id);
}

export async function removePack(ctx: Ctx<User>, id: string) {
  const { companyId } = await readPack(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom("auditPacks").where("id", "=", id).executeTakeFirst();
    if (numDeletedRows > 0n) await record(tx, ctx, { action: "auditPacks.remove", companyId });
  });
}

/** The ZIP file of a pack, made while it is sent. */
export async function asFile(ctx: Pick<Ctx, "db" | "pools">, row: PackRow) {
  if (row.files === null) throw conflict("auditPacks.notMade");
  await refuseOutdated(ctx.db, row);
  const rows = row.files.reduce((sum, file) => sum + file.rows, 0);
  const body = Readable.from(zipPack(ctx, toPack(row), row.company));
  return new FileAnswer(`${row.number}.zip`, "application/zip", body, rows);
}

export async function sendPack(ctx: Ctx<User>, id: string) {
  const row = await readPack(ctx, id);
  const file = await asFile(ctx, row);
  await record(ctx.db, ctx, { action: "auditPacks.file", companyId: row.companyId });
  return file;
}

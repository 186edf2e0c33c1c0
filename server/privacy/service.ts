import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { endSessions } from "#server/auth/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, forbidden, notFound } from "#server/core/problem.ts";
import type { Services } from "#server/core/services.ts";
import { release } from "#server/core/throttle.ts";
import { eraseRegistration } from "#server/events/registrations/selfService.ts";
import type { Entry, Person } from "#server/privacy/registryEntry.ts";
import { listFiles, removeFiles } from "#server/privacy/files.ts";
import { ownRegistrations, registry } from "#server/privacy/registry.ts";
import { readSettings } from "#server/settings/service.ts";
import { type Holding, type ErasurePreview, type Receipt } from "#shared/privacy.ts";
import { isAdmin, type User } from "#shared/users.ts";

/** The user a call is about: oneself, or for admins anyone. */
export function subjectOf(user: User, userId: string | undefined) {
  if (userId && userId !== user.id && !isAdmin(user)) throw forbidden();
  return userId ?? user.id;
}

export const readPerson = (db: Db | Tx, id: string) =>
  db.selectFrom("users").where("id", "=", id).select(["id", "email", "name", "role"]).executeTakeFirst();

async function countRows(db: Db | Tx, entry: Entry, person: Person): Promise<Holding> {
  const { key, table, what, fate, why, where, until } = entry;
  const { rows } = await sql<{ n: number; until: string | null }>`
    select count(*)::int as n, ${until ? sql`max(${until})::text` : sql`null`} as until from ${sql.table(table)} where ${where(person)}`.execute(
    db,
  );
  return { key, what, fate, why, rows: rows[0]?.n ?? 0, until: rows[0]?.until ?? null };
}

/** What is stored about a person, and what an erasure would do. Changes nothing. */
export async function previewErasure(ctx: Ctx<User>, userId: string | undefined): Promise<ErasurePreview> {
  const person = (await readPerson(ctx.db, subjectOf(ctx.user, userId))) ?? throwNotFound();
  const holdings: Holding[] = [];
  for (const entry of registry) holdings.push(await countRows(ctx.db, entry, person));
  const files = await listFiles(ctx.db, person);
  return {
    email: person.email,
    name: person.name,
    holdings: holdings.filter(({ rows }) => rows > 0),
    files: files.length,
    refused: (await isLastAdmin(ctx.db, person)) ? "privacy.lastAdmin" : null,
  };
}
const throwNotFound = () => {
  throw notFound();
};

/** True for the last admin who can sign in: they cannot be erased. */
const isLastAdmin = async (db: Db | Tx, { id, role }: { id: string; role: string }) =>
  role === "admin" &&
  !(await db
    .selectFrom("users")
    .where("role", "=", "admin")
    .where("status", "=", "active")
    .where("id", "!=", id)
    .select("id")
    .executeTakeFirst());

/** Keyed hash, so that the database alone does not reveal whose receipt it is. */
const subjectHash = ({ config }: Pick<Services, "config">, id: string) =>
  createHmac("sha256", config.secret).update(`erased ${id}`).digest("base64url");
const findReceipt = async (db: Db | Tx, hash: string) =>
  (
    await db
      .selectFrom("erasures")
      .where("subjectHash", "=", hash)
      .select(sql<Receipt>`receipt`.as("receipt"))
      .executeTakeFirst()
  )?.receipt;

/**
 * Erases a person: first sessions, then files, then rows, the identity last. An interrupted call can be repeated
 * safely; a call for an erased person returns the same receipt.
 */
export async function erasePerson(ctx: Ctx<User>, userId: string | undefined): Promise<Receipt> {
  const { db, user } = ctx;
  const id = subjectOf(user, userId);
  const hash = subjectHash(ctx, id);
  const person = await readPerson(db, id);
  if (!person) return (await findReceipt(db, hash)) ?? throwNotFound();
  if (await isLastAdmin(db, person)) throw conflict("privacy.lastAdmin");
  // These are deleted first, so they are counted here.
  const signIns = await countRows(db, registry.find(({ key }) => key === "signIns") as Entry, person);
  const registrations = await countRows(db, registry.find(({ key }) => key === "guest") as Entry, person);
  await endSessions(db, [id]);
  for (const registration of await db
    .selectFrom("eventRegistrations")
    .where(ownRegistrations(person))
    .select(["id", "eventId"])
    .execute())
    await eraseRegistration(ctx, registration);
  const files = await removeFiles(ctx, person);
  const { backupDays } = await readSettings(db);
  const receipt = await inTransaction(db, async (tx) => {
    // Serialised, so that the last two admins cannot be erased concurrently.
    await sql`select pg_advisory_xact_lock(hashtext('erase a person'))`.execute(tx);
    const current = await tx
      .selectFrom("users")
      .where("id", "=", id)
      .forUpdate()
      .select(["id", "email", "role"])
      .executeTakeFirst();
    if (!current) return (await findReceipt(tx, hash)) ?? throwNotFound();
    if (await isLastAdmin(tx, current)) throw conflict("privacy.lastAdmin");
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    const retainedRecords = await retainTrainingRecords(tx, current);
    const holdings: Holding[] = [];
    for (const entry of registry)
      holdings.push(
        entry.key === "signIns"
          ? signIns
          : entry.key === "guest"
            ? registrations
            : await eraseEntry(tx, entry, current),
      );
    await release(tx, ["sign-in", current.email]);
    const { id: number, erasedAt } = await tx
      .insertInto("erasures")
      .values({ subjectHash: hash, receipt: "{}" })
      .returning(["id", "erasedAt"])
      .executeTakeFirstOrThrow();
    const receipt: Receipt = {
      id: number,
      erasedAt,
      by: id === user.id ? "self" : "admin",
      holdings: holdings.filter(({ rows }) => rows > 0),
      files,
      retainedRecords,
      backupsUntil:
        backupDays === null
          ? null
          : new Date(Date.parse(erasedAt) + backupDays * 86_400_000).toISOString().slice(0, 10),
    };
    await tx
      .updateTable("erasures")
      .set({ receipt: JSON.stringify(receipt) })
      .where("id", "=", number)
      .execute();
    if (id === user.id)
      await tx
        .insertInto("auditEntries")
        .values({
          action: "privacy.erase",
          actorId: null,
          actorRole: user.role,
          details: JSON.stringify({ receipt: number, own: true }),
        })
        .execute();
    else await record(tx, ctx, { action: "privacy.erase", details: { receipt: number, own: false } });
    return receipt;
  });
  ctx.log.info({ receipt: receipt.id }, "a person was erased");
  return receipt;
}

/** Erases one entry and returns the counts from before: rows that are kept are anonymised, others deleted. */
async function eraseEntry(tx: Tx, entry: Entry, person: Person): Promise<Holding> {
  const { table, where, set, fate } = entry;
  const holding = await countRows(tx, entry, person);
  if (holding.rows === 0) return holding;
  if (set) {
    const changes = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${where(person)}`.execute(tx);
  } else if (fate === "delete") await sql`delete from ${sql.table(table)} where ${where(person)}`.execute(tx);
  return holding;
}

/** Copies finished training to the retained records, without a name, for companies that must be able to prove it. */
async function retainTrainingRecords(tx: Tx, person: Person): Promise<Receipt["retainedRecords"]> {
  const { where, until } = registry.find(({ key }) => key === "retainedRecords") as Entry;
  const { rows } = await sql<Receipt["retainedRecords"][number]>`
    insert into retained_training_records (company_id, course_id, course, completed_on, success, score_percent, basis, keep_until)
    select enrolments.company_id, enrolments.course_id, courses.title, coalesce(enrolments.completed_at, now())::date, enrolments.success, enrolments.score_percent,
      'GDPR Art. 17(3)(b), (e)', ${until}
    from enrolments join courses on courses.id = enrolments.course_id where ${where(person)}
    returning id, course, keep_until::text as until`.execute(tx);
  return rows;
}

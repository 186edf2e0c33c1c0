import { sql } from "kysely";
import { isLastAdmin, lockActiveAdmins } from "#server/auth/admins/adminRows.ts";
import { clearLockouts } from "#server/auth/password/lockouts.ts";
import { endSessions } from "#server/auth/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, forbidden, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Entry, Person } from "#server/core/domains/personalData.ts";
import type { PersonalDataRegistry } from "#server/core/domains/registry.ts";
import { isRetained, retainedUntil } from "#server/courses/personalData.ts";
import { listPersonFiles, removePersonFiles } from "#server/files/personFiles.ts";
import { createReceipt, findReceipt } from "#server/privacy/receipts.ts";
import { type Holding, type ErasurePreview, type Receipt } from "#shared/privacy/privacy.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

// The steps of an erasure. `personalData.ts` of each domain says what is deleted or anonymised in its tables.

/** The user a call is about: oneself, or for admins anyone. */
export function subjectOf(user: User, userId: string | undefined) {
  if (userId && userId !== user.id && !isAdmin(user)) throw forbidden();
  return userId ?? user.id;
}

/** A person in the scope of the user; undefined for any other. */
export const readPerson = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("users")
    .where("id", "=", id)
    .where(inScope(user, { company: "users.companyId", person: "users.id" }))
    .select(["id", "email", "name", "role"])
    .executeTakeFirst();

async function countRows(db: Db, { key, table, what, fate, why, where, until }: Entry, person: Person) {
  const { rows } = await sql<{ n: number; until: string | null }>`
    select count(*)::int as n, ${until ? sql`max(${until})::text` : sql`null`} as until
    from ${sql.table(table)}
    where ${where(person)}`.execute(db);
  return { key, what, fate, why, rows: rows[0]?.n ?? 0, until: rows[0]?.until ?? null };
}

async function countAll(db: Db, entries: Entry[], person: Person): Promise<Holding[]> {
  const holdings: Holding[] = [];
  for (const entry of entries) holdings.push(await countRows(db, entry, person));
  return holdings.filter(({ rows }) => rows > 0);
}

/** What is stored about a person, and what an erasure would do. Changes nothing. */
export async function previewErasure(
  ctx: Ctx<User>,
  { entries }: PersonalDataRegistry,
  userId: string | undefined,
): Promise<ErasurePreview> {
  const person = (await readPerson(ctx, subjectOf(ctx.user, userId))) ?? throwNotFound();
  const files = await listPersonFiles(ctx.db, person);
  return {
    email: person.email,
    name: person.name,
    holdings: await countAll(ctx.db, entries, person),
    files: files.length,
    refused: (await isLastAdmin(ctx.db, person.id)) ? "privacy.lastAdmin" : null,
  };
}
const throwNotFound = () => {
  throw notFound();
};

/**
 * Erases a person: first sessions, then files, then rows, the identity last. An interrupted call can be repeated
 * safely; a call for an erased person returns the same receipt.
 */
export async function erasePerson(
  ctx: Ctx<User>,
  { entries, steps }: PersonalDataRegistry,
  userId: string | undefined,
): Promise<Receipt> {
  const { db, user } = ctx;
  const id = subjectOf(user, userId);
  const person = await readPerson(ctx, id);
  if (!person) return (await findReceipt(ctx, db, id)) ?? throwNotFound();
  if (await isLastAdmin(db, person.id)) throw conflict("privacy.lastAdmin");
  // Counted before anything is deleted: what follows deletes rows of several entries at once.
  const holdings = await countAll(db, entries, person);
  await endSessions(db, [id]);
  for (const { before } of steps) await before?.(ctx, person);
  const files = await removePersonFiles(ctx, person);
  const receipt = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('erase a person'))`.execute(tx);
    const admins = person.role === "admin" ? await lockActiveAdmins(tx) : [];
    const current = await tx
      .selectFrom("users")
      .where("id", "=", id)
      .forUpdate()
      .select(["id", "email", "role"])
      .executeTakeFirst();
    if (!current) return (await findReceipt(ctx, tx, id)) ?? throwNotFound();
    if (admins.length === 1 && admins[0] === id) throw conflict("privacy.lastAdmin");
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    const retainedRecords = await retainTrainingRecords(tx, current);
    for (const { within } of steps) await within?.(tx, current, ctx);
    for (const entry of entries) await eraseEntry(tx, entry, current);
    if (current.email !== null) await clearLockouts(tx, current.email.toLowerCase());
    return createReceipt(ctx, tx, id, { holdings, files, retainedRecords });
  });
  ctx.log.info({ receipt: receipt.id }, "a person was erased");
  return receipt;
}

/** Rows that are kept are anonymised, others deleted. */
async function eraseEntry(tx: Tx, { table, where, set, fate }: Entry, person: Person) {
  if (set) {
    const changes = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${where(person)}`.execute(tx);
  } else if (fate === "delete") await sql`delete from ${sql.table(table)} where ${where(person)}`.execute(tx);
}

/** Copies finished training to the retained records, without a name, for companies that must be able to prove it. */
async function retainTrainingRecords(tx: Tx, person: Person): Promise<Receipt["retainedRecords"]> {
  const { rows } = await sql<Receipt["retainedRecords"][number]>`
    insert into retained_training_records (
      company_id, course_id, course, completed_on, success, score_percent, basis, keep_until
    )
    select
      enrolments.company_id,
      enrolments.course_id,
      courses.title,
      coalesce(enrolments.completed_at, closed.completed_at, now())::date,
      case when enrolments.completed_at is null then coalesce(closed.success, enrolments.success)
        else enrolments.success end,
      case when enrolments.completed_at is null then closed.score_percent else enrolments.score_percent end,
      'GDPR Art. 17(3)(b), (e)',
      ${retainedUntil}
    from enrolments
    join courses on courses.id = enrolments.course_id
    left join lateral (
      select completed_at, success, score_percent
      from enrolment_cycles
      where enrolment_cycles.enrolment_id = enrolments.id
      order by cycle desc
      limit 1
    ) closed on true
    where ${isRetained(person)}
    returning id, course, keep_until::text as until`.execute(tx);
  return rows;
}

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, forbidden, notFound } from "#server/core/http/problem.ts";
import { type Field, type FieldChoice, type fields, MAX_FIELDS } from "#shared/fields/fields.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { isAcademyAdmin, type User } from "#shared/core/users.ts";

const FIELD_SCOPE = { company: "fields.companyId" };

/** Definitions that the user may see: of their company, and of all companies. Change only what is in their scope. */
const selectFields = ({ db, user }: Pick<Ctx<User>, "db" | "user">, companyId: string | null = null) =>
  db
    .selectFrom("fields")
    .where((e) => e.or([e("fields.companyId", "is", null), inScope(user, FIELD_SCOPE)]))
    .select([
      "fields.id",
      "fields.companyId",
      "fields.key",
      "fields.name",
      "fields.kind",
      "fields.choices",
      "fields.visibleTo",
      "fields.archivedAt",
      "fields.version",
      sql<number>`(
        select count(*)::int
        from field_values
        join users on users.id = field_values.user_id
        where field_values.field_id = fields.id
          and ${inScope(user, { company: "users.companyId" })}
          and (${companyId}::uuid is null or users.company_id = ${companyId})
      )`.as("people"),
    ]);

export async function listFields(ctx: Ctx<User>, { companyId, archived }: QueryOf<typeof fields.list>) {
  if (companyId) await findCompany(ctx, companyId);
  const items: Field[] = await selectFields(ctx, companyId)
    .where((e) => e.or([e("fields.companyId", "is", null), e("fields.companyId", "=", companyId ?? null)]))
    .where("fields.archivedAt", archived === "yes" ? "is not" : "is", null)
    .orderBy(sql`lower(fields.name)`)
    .orderBy("fields.id")
    .limit(MAX_FIELDS)
    .execute();
  return { items };
}

const findCompany = ({ db, user }: Pick<Ctx<User>, "db" | "user">, id: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);

const getField = (ctx: Pick<Ctx<User>, "db" | "user">, id: string): Promise<Field> =>
  selectFields(ctx).where("fields.id", "=", id).executeTakeFirstOrThrow(notFound);

/** One change of definitions at a time, because keys and names are unique among those of a company and of all. */
const lockDefinitions = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('fields'))`.execute(tx);

export async function createField(ctx: Ctx<User>, { companyId, ...input }: BodyOf<typeof fields.create>) {
  if (companyId === null && !isAcademyAdmin(ctx.user)) throw forbidden();
  return inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    if (companyId) await findCompany(scoped, companyId);
    await lockDefinitions(tx);
    await refuseTaken(tx, companyId, input);
    await refuseIfMany(tx, companyId);
    refuseForeignIds([], input.choices);
    const choices = input.kind === "choice" ? withIds(input.choices) : [];
    const { id } = await tx
      .insertInto("fields")
      .values({ ...input, companyId, choices: JSON.stringify(choices), updatedBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "fields.create", object: { fields: id }, companyId });
    return getField(scoped, id);
  });
}

const withIds = (choices: { id?: string | undefined; name: string }[]): FieldChoice[] =>
  choices.map(({ id, name }) => ({ id: id ?? randomUUID(), name }));

/** The ids of choices are ours, and each is that of one choice. */
function refuseForeignIds(before: FieldChoice[], after: { id?: string | undefined }[]) {
  const free = new Set(before.map(({ id }) => id));
  for (const { id } of after) if (id && !free.delete(id)) throw badField("choices", "fields.goneChoice");
}

/** Fields of the same people differ in their keys and in their names. */
async function refuseTaken(tx: Tx, companyId: string | null, taken: { key?: string; name?: string }, except = "") {
  const others = await tx
    .selectFrom("fields")
    .where((e) => (companyId ? e.or([e("companyId", "is", null), e("companyId", "=", companyId)]) : e.val(true)))
    .select(["id", "key", "name"])
    .execute();
  for (const other of others) {
    if (other.id === except) continue;
    if (other.key === taken.key) throw badField("key", "fields.keyTaken");
    if (other.name.toLowerCase() === taken.name?.toLowerCase()) throw badField("name", "fields.nameTaken");
  }
}

/** Counts the fields of a company with those of all; for a field of all, those of the company that has the most. */
async function refuseIfMany(tx: Tx, companyId: string | null) {
  const { rows } = await sql<{ count: number }>`
    select (
      (select count(*) from fields where company_id is null)
      + coalesce((
        select max(count)
        from (
          select count(*)
          from fields
          where company_id is not null
            and (${companyId}::uuid is null or company_id = ${companyId})
          group by company_id
        ) counts
      ), 0)
    )::int as count`.execute(tx);
  if ((rows[0]?.count ?? 0) >= MAX_FIELDS) throw conflict("fields.tooMany", undefined, { count: MAX_FIELDS });
}

/** Locks a field in the scope of the user for a change; 404 for any other, also for one of all companies. */
const lockField = ({ user }: Ctx<User>, tx: Tx, id: string) =>
  tx
    .selectFrom("fields")
    .where("id", "=", id)
    .where(inScope(user, FIELD_SCOPE))
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);

export async function updateField(ctx: Ctx<User>, id: string, { version, ...change }: BodyOf<typeof fields.update>) {
  return inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    await lockDefinitions(tx);
    const before = await lockField(ctx, tx, id);
    if (before.version !== version) throw conflict("core.conflict", { current: await getField(scoped, id) });
    if (change.name) await refuseTaken(tx, before.companyId, { name: change.name }, id);
    if (change.choices) refuseForeignIds(before.choices, change.choices);
    const choices = change.choices && before.kind === "choice" ? withIds(change.choices) : null;
    if (choices) await refuseIfChosen(tx, before, choices);
    await tx
      .updateTable("fields")
      .set({
        ...(change.name && { name: change.name }),
        ...(change.visibleTo && { visibleTo: change.visibleTo }),
        ...(choices && { choices: JSON.stringify(choices) }),
        version: version + 1,
        updatedAt: new Date().toISOString(),
        updatedBy: ctx.user.id,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "fields.update", object: { fields: id }, companyId: before.companyId });
    return getField(scoped, id);
  });
}

/** Refuses to remove a choice that a person has or that the rule of a group uses. */
async function refuseIfChosen(tx: Tx, before: { id: string; choices: FieldChoice[] }, after: FieldChoice[]) {
  const kept = new Set(after.map(({ id }) => id));
  const removed = before.choices.filter(({ id }) => !kept.has(id));
  for (const choice of removed) {
    const people = await countValues(tx, before.id, choice.id);
    if (people > 0) throw conflict("fields.choiceInUse", { choice: choice.id }, { name: choice.name, count: people });
    const group = await findGroup(tx, before.id, choice.id);
    if (group) throw conflict("fields.choiceUsed", undefined, { name: choice.name, group });
  }
}

/** The name of a group whose rule uses a field, or a choice of it. */
async function findGroup(tx: Tx, id: string, choice?: string) {
  const uses = tx
    .selectFrom("groupRuleUses as uses")
    .innerJoin("groups", "groups.id", "uses.groupId")
    .where("uses.kind", "=", "field")
    .where("uses.target", "=", id)
    .where("groups.removedAt", "is", null);
  const row = await (choice ? uses.where("uses.choice", "=", choice) : uses)
    .orderBy("groups.name")
    .select("groups.name")
    .executeTakeFirst();
  return row?.name ?? (await findEnrolmentRule(tx, id, choice));
}

/** The same for an enrolment rule. */
async function findEnrolmentRule(tx: Tx, id: string, choice?: string) {
  const row = await tx
    .selectFrom("enrolmentRuleUses as uses")
    .innerJoin("enrolmentRules", "enrolmentRules.id", "uses.ruleId")
    .where("uses.kind", "=", "field")
    .where("uses.target", "=", id)
    .where("enrolmentRules.removedAt", "is", null)
    .$if(choice !== undefined, (all) =>
      all.where(sql<boolean>`strpos(enrolment_rules.condition::text, ${`"${choice}"`}) > 0`),
    )
    .orderBy("enrolmentRules.name")
    .select("enrolmentRules.name")
    .executeTakeFirst();
  return row?.name ?? null;
}

async function countValues(db: Db, id: string, choice: string | null) {
  const rows = db.selectFrom("fieldValues").where("fieldId", "=", id);
  const { count } = await (choice ? rows.where(sql<boolean>`lower(text) = ${choice}`) : rows)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Archives a field, or offers it again. */
export async function setArchived(ctx: Ctx<User>, id: string, isArchived: boolean) {
  return inTransaction(ctx.db, async (tx) => {
    const { companyId, archivedAt } = await lockField(ctx, tx, id);
    const group = isArchived ? await findGroup(tx, id) : null;
    if (group) throw conflict("fields.usedByGroup", undefined, { group });
    if ((archivedAt !== null) !== isArchived) {
      await tx
        .updateTable("fields")
        .set((e) => ({
          archivedAt: isArchived ? new Date().toISOString() : null,
          version: e("version", "+", 1),
          updatedAt: new Date().toISOString(),
          updatedBy: ctx.user.id,
        }))
        .where("id", "=", id)
        .execute();
      const action = isArchived ? "fields.archive" : "fields.restore";
      await record(tx, ctx, { action, object: { fields: id }, companyId });
    }
    return getField({ ...ctx, db: tx }, id);
  });
}

export async function removeField(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId } = await lockField(ctx, tx, id);
    const people = await countValues(tx, id, null);
    if (people > 0) throw conflict("fields.inUse", undefined, { count: people });
    const group = await findGroup(tx, id);
    if (group) throw conflict("fields.usedByGroup", undefined, { group });
    await tx.deleteFrom("fields").where("id", "=", id).where(inScope(ctx.user, FIELD_SCOPE)).execute();
    await record(tx, ctx, { action: "fields.remove", companyId });
  });
}

import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import type { CareInput, CareNotice, CareSettings } from "#shared/care/care.ts";
import { isAcademyAdmin, type User } from "#shared/core/users.ts";

const personName = sql<string>`coalesce(nullif(users.name, ''), users.email)`;

/** The company of an address, null for visitors; 404 if it is not in the scope of the user. */
async function readPlace({ db, user }: Ctx<User>, id: string): Promise<string | null> {
  if (id === "visitors") {
    if (!isAcademyAdmin(user)) throw notFound();
    return null;
  }
  const company = await db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);
  return company.id;
}

const selectSettings = (db: Db, companyId: string | null) =>
  db
    .selectFrom("careSettings")
    .where(sql<boolean>`company_id is not distinct from ${companyId}::uuid`)
    .selectAll();

/** Active admins who see the people of a company. */
const selectAdmins = (db: Db, companyId: string | null) =>
  db
    .selectFrom("users")
    .where("users.role", "=", "admin")
    .where("users.status", "=", "active")
    .where((e) => e.or([e("users.companyId", "is", null), e("users.companyId", "=", companyId)]));

/** Those of the named people who are still told. */
const readPeople = (db: Db, companyId: string | null) =>
  selectAdmins(db, companyId)
    .innerJoin("carePeople", "carePeople.userId", "users.id")
    .innerJoin("careSettings", "careSettings.id", "carePeople.settingsId")
    .where(sql<boolean>`care_settings.company_id is not distinct from ${companyId}::uuid`)
    .select(["users.id", personName.as("name")])
    .orderBy(personName)
    .execute();

export async function readCare(ctx: Ctx<User>, id: string): Promise<CareSettings> {
  const companyId = await readPlace(ctx, id);
  return describe(ctx, companyId);
}

async function describe({ db, user }: Ctx<User>, companyId: string | null): Promise<CareSettings> {
  const settings = await selectSettings(db, companyId).executeTakeFirst();
  const people = await readPeople(db, companyId);
  const connectors = isAcademyAdmin(user)
    ? await db
        .selectFrom("connectors")
        .where("kind", "=", "openai")
        .where("status", "=", "active")
        .orderBy("name")
        .select(["id", "name"])
        .execute()
    : [];
  return {
    purpose: settings?.purpose ?? "",
    hours: settings?.hours ?? "",
    connectorId: settings?.connectorId ?? null,
    model: settings?.model ?? "",
    people,
    isOn: people.length > 0,
    version: settings?.version ?? 0,
    choices: {
      people: await selectAdmins(db, companyId)
        .select(["users.id", personName.as("name")])
        .orderBy(personName)
        .execute(),
      connectors,
    },
  };
}

/** Names who is told. Only academy admins choose the moderation model, as with all connections. */
export async function setCare(ctx: Ctx<User>, id: string, { personIds, version, ...input }: CareInput) {
  const companyId = await readPlace(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    const before = await selectSettings(tx, companyId).forUpdate().executeTakeFirst();
    if ((before?.version ?? 0) !== version) throw conflict("core.conflict");
    const chosen = isAcademyAdmin(ctx.user) ? input : { ...input, ...modelOf(before) };
    const named = await selectAdmins(tx, companyId).where(isOneOf("users.id", personIds)).select("users.id").execute();
    if (named.length < new Set(personIds).size) throw badField("personIds", "core.notFound");
    if (chosen.connectorId && !(await isModerator(tx, chosen.connectorId)))
      throw badField("connectorId", "core.notFound");
    const { id: settingsId } = await tx
      .insertInto("careSettings")
      .values({ companyId, ...chosen })
      .onConflict((on) => on.column("companyId").doUpdateSet({ ...chosen, version: version + 1 }))
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.deleteFrom("carePeople").where("settingsId", "=", settingsId).execute();
    await tx
      .insertInto("carePeople")
      .values(named.map((person) => ({ settingsId, userId: person.id })))
      .execute();
    await record(tx, ctx, { action: "care.set", companyId, details: { people: named.length } });
  });
  return describe(ctx, companyId);
}

const modelOf = (settings: { connectorId: string | null; model: string } | undefined) => ({
  connectorId: settings?.connectorId ?? null,
  model: settings?.model ?? "",
});
const isModerator = async (db: Db, id: string) =>
  (await db
    .selectFrom("connectors")
    .where("id", "=", id)
    .where("kind", "=", "openai")
    .select("id")
    .executeTakeFirst()) !== undefined;

export async function removeCare(ctx: Ctx<User>, id: string) {
  const companyId = await readPlace(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    const removed = await tx
      .deleteFrom("careSettings")
      .where(sql<boolean>`company_id is not distinct from ${companyId}::uuid`)
      .returning("id")
      .execute();
    if (removed.length > 0) await record(tx, ctx, { action: "care.remove", companyId });
  });
}

/** What people of a company, or visitors, read before they write. */
export async function readCareNotice(db: Db, companyId: string | null): Promise<CareNotice> {
  const people = await readPeople(db, companyId);
  if (people.length === 0) return null;
  const { purpose, hours } = await selectSettings(db, companyId).executeTakeFirstOrThrow();
  return { people: people.map(({ name }) => name), purpose, hours };
}

/** Whom to tell about a call for help, and the moderation model that reads messages; null if nobody is told. */
export async function readCareContacts(db: Db, companyId: string | null) {
  const people = await readPeople(db, companyId);
  if (people.length === 0) return null;
  const { connectorId, model } = await selectSettings(db, companyId).executeTakeFirstOrThrow();
  return { personIds: people.map(({ id }) => id), moderator: connectorId ? { connectorId, model } : null };
}

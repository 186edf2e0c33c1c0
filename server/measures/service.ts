import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { measuredKinds } from "#shared/core/measuredKinds.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type Choices, DEFAULT_CHOICES, type Measured, type measures } from "#shared/measures/measures.ts";

/** A company in the scope of the user, with its settings that are changed elsewhere; 404 for any other. */
const findCompany = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("companies")
    .where("companies.id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select(["companies.id", ...settingColumns])
    .executeTakeFirstOrThrow(notFound);
const settingColumns = [
  "companies.name",
  "companies.timezone",
  "companies.recordPages",
  "companies.recordingDays",
  "companies.erasurePolicy",
  "companies.retentionYears",
  "companies.managersSeePeople",
] as const;

const selectVersions = (db: Db) =>
  db
    .selectFrom("companyMeasures")
    .leftJoin("users", "users.id", "companyMeasures.changedBy")
    .select([
      "companyMeasures.id",
      "companyMeasures.version",
      "companyMeasures.since",
      "companyMeasures.reason",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("by"),
      sql<Choices>`jsonb_build_object(
        'replay', replay,
        'activeTime', active_time,
        'lastActivity', last_activity,
        'conversations', conversations,
        'scores', scores,
        'smallestGroup', smallest_group
      )`.as("choices"),
    ]);
const FIRST = { version: 0, since: null, by: null, reason: "", choices: DEFAULT_CHOICES };

async function readVersion(db: Db, companyId: string, version?: number) {
  if (version === 0) return FIRST;
  const rows = selectVersions(db).where("companyMeasures.companyId", "=", companyId);
  if (version !== undefined)
    return rows.where("companyMeasures.version", "=", version).executeTakeFirstOrThrow(notFound);
  return (await rows.where("companyMeasures.until", "is", null).executeTakeFirst()) ?? FIRST;
}

/** What a company measures: in a version, or now. */
export async function readMeasures(ctx: Ctx<User>, companyId: string, version?: number): Promise<Measured> {
  const { id: _, name, timezone, ...settings } = await findCompany(ctx, companyId);
  return { ...(await readVersion(ctx.db, companyId, version)), company: name, zone: timezone, settings };
}

export async function listVersions(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof measures.versions>) {
  await findCompany(ctx, companyId);
  const all = ctx.db.selectFrom("companyMeasures").where("companyId", "=", companyId);
  return readPage(query, {
    ids: all.orderBy("version", "desc").select("id"),
    total: all.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectVersions(ctx.db).where(isOneOf("companyMeasures.id", ids)).execute(),
  });
}

/** Saves who sees what as the next version; 409 if another admin has saved since the version that was read. */
export async function chooseMeasures(
  ctx: Ctx<User>,
  companyId: string,
  { choices, reason, version }: BodyOf<typeof measures.update>,
) {
  return inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    await findCompany(scoped, companyId);
    await tx.selectFrom("companies").where("id", "=", companyId).select("id").forNoKeyUpdate().execute();
    const before = await readMeasures(scoped, companyId);
    if (before.version !== version)
      throw conflict("core.conflict", { current: before, changedBy: before.by, changedAt: before.since });
    const changed = [...measuredKinds, "smallestGroup" as const].filter((key) => before.choices[key] !== choices[key]);
    if (changed.length === 0) return before;
    // The end of one version is the beginning of the next.
    const now = sql<string>`transaction_timestamp()`;
    await tx
      .updateTable("companyMeasures")
      .set({ until: now })
      .where("companyId", "=", companyId)
      .where("until", "is", null)
      .execute();
    await tx
      .insertInto("companyMeasures")
      .values({ ...choices, companyId, version: version + 1, reason, changedBy: ctx.user.id, since: now })
      .execute();
    await record(tx, ctx, {
      action: "measures.update",
      companyId,
      details: {
        version: version + 1,
        ...detailsOf(changed, choices),
      },
    });
    return readMeasures(scoped, companyId);
  });
}

/** What was changed, for the audit log. */
function detailsOf(changed: (keyof Choices)[], choices: Choices) {
  const kinds = measuredKinds.filter((kind) => changed.includes(kind));
  const [hidden, shown] = (["nobody", "admins"] as const).map((who) => kinds.filter((kind) => choices[kind] === who));
  return {
    ...(hidden && hidden.length > 0 && { hidden }),
    ...(shown && shown.length > 0 && { shown }),
    ...(changed.includes("smallestGroup") && { smallestGroup: choices.smallestGroup }),
  };
}

/** What the company of the person measures. `isNew`: it was changed while they were there, and they were not told. */
export async function readOwnMeasures({ db, user }: Ctx<User>) {
  const { companyId } = user;
  if (companyId === null) return null;
  const {
    name,
    timezone: _,
    ...settings
  } = await db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(settingColumns)
    .executeTakeFirstOrThrow(notFound);
  const { by: _by, ...current } = await readVersion(db, companyId);
  const seen = await db
    .selectFrom("measuresSeen")
    .where("userId", "=", user.id)
    .where("companyId", "=", companyId)
    .select("version")
    .executeTakeFirst();
  const isLater = current.since !== null && Date.parse(current.since) > Date.parse(user.createdAt);
  return { ...current, company: name, settings, isNew: isLater && (seen?.version ?? 0) < current.version };
}

export async function markSeen({ db, user }: Ctx<User>, { version }: BodyOf<typeof measures.markSeen>) {
  const { companyId } = user;
  if (companyId === null) return;
  const current = await readVersion(db, companyId);
  const seen = { companyId, version: Math.min(version, current.version) };
  await db
    .insertInto("measuresSeen")
    .values({ userId: user.id, ...seen })
    .onConflict((row) => row.column("userId").doUpdateSet({ ...seen, seenAt: new Date().toISOString() }))
    .execute();
}

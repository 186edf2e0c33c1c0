import type { Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { currentCookieText, currentPolicy, publishText, recordsPages } from "#server/settings/texts.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { type academies, type Academy, LOGO_PATH } from "#shared/settings/settings.ts";
import type { User } from "#shared/core/users.ts";

const columns = [
  "academyName",
  "headline",
  "tagline",
  "about",
  "color",
  "supportEmail",
  "backupDays",
  "timeZone",
  "logoType",
  "logoWidth",
  "logoHeight",
  "version",
  "updatedAt",
] as const;
const readRow = (db: Db) => db.selectFrom("settings").select(columns).executeTakeFirstOrThrow();
type Row = Awaited<ReturnType<typeof readRow>>;

export const readSettings = async (db: Db) => describeSettings(await readRow(db));

/** The time zone for everything that belongs to neither a company nor an event. */
export const readAcademyZone = async (db: Db) =>
  (await db.selectFrom("settings").select("timeZone").executeTakeFirstOrThrow()).timeZone ?? "UTC";

/** The URL of the logo changes with every version of the settings, so that browsers can keep it. */
function describeSettings({ logoType, logoWidth: width, logoHeight: height, ...row }: Row) {
  const logo = logoType && width && height ? { url: `${LOGO_PATH}?v=${row.version}`, width, height } : null;
  return { ...row, logo };
}

/** Public details of this academy. */
export async function readAcademy({ db, config }: Pick<Services, "db" | "config">): Promise<Academy> {
  const [{ academyName: name, headline, tagline, about, color, supportEmail, logo, timeZone }, text, records] =
    await Promise.all([readSettings(db), currentCookieText(db), recordsPages(db)]);
  return {
    name,
    headline,
    tagline,
    about,
    color,
    supportEmail,
    logo,
    timeZone,
    policyUrl: config.privacyPolicyUrl ?? "/privacy-policy",
    consent: { version: text.version, textHash: text.sha256, strict: config.consentStrict, recordsPages: records },
  };
}

export const updateSettings = (ctx: Ctx<User>, { version, ...input }: BodyOf<typeof academies.update>) =>
  changeSettings(ctx, version, input, { action: "settings.update", details: { fields: Object.keys(input) } });

/** Changes settings if they are still at `version`; otherwise throws 409 with the current ones and who changed them. */
export async function changeSettings(
  ctx: Ctx<User>,
  version: number,
  values: Updateable<DB["settings"]>,
  entry: Pick<Parameters<typeof record>[2], "action" | "details">,
) {
  return inTransaction(ctx.db, async (tx) => {
    const updated = await tx
      .updateTable("settings")
      .set((e) => ({
        ...values,
        version: e("version", "+", 1),
        updatedAt: new Date().toISOString(),
        updatedBy: ctx.user.id,
      }))
      .where("version", "=", version)
      .returning(columns)
      .executeTakeFirst();
    if (!updated) {
      const author = await tx
        .selectFrom("users")
        .innerJoin("settings", "settings.updatedBy", "users.id")
        .select("users.name")
        .executeTakeFirst();
      const current = await readSettings(tx);
      throw conflict("core.conflict", { current, changedBy: author?.name ?? null, changedAt: current.updatedAt });
    }
    await record(tx, ctx, entry);
    return describeSettings(updated);
  });
}

/** The current or an earlier version of the privacy policy. */
export async function readPolicy({ db }: Pick<Services, "db">, version?: number) {
  if (!version) return currentPolicy(db);
  return db
    .selectFrom("consentTexts")
    .where("kind", "=", "policy")
    .where("version", "=", version)
    .select(["version", "sha256", "publishedAt", "body"])
    .executeTakeFirstOrThrow(notFound);
}

/**
 * Publishes a new version. The cookie texts refer to the policy, so they get a new version too, and everyone is asked
 * for consent again.
 */
export async function publishPolicy(ctx: Ctx<User>, { body, after }: BodyOf<typeof academies.publishPolicy>) {
  return inTransaction(ctx.db, async (tx) => {
    const before = await currentPolicy(tx);
    const published = before.version === after ? await publishText(tx, "policy", body, after, ctx.user.id) : undefined;
    if (!published) {
      const author = await tx
        .selectFrom("consentTexts")
        .leftJoin("users", "users.id", "publishedBy")
        .where("kind", "=", "policy")
        .orderBy("consentTexts.version", "desc")
        .select("users.name")
        .executeTakeFirst();
      const current = await currentPolicy(tx);
      throw conflict("core.conflict", { current, changedBy: author?.name ?? null, changedAt: current.publishedAt });
    }
    await currentCookieText(tx);
    await record(tx, ctx, { action: "settings.policy", details: { version: published.version } });
    return published;
  });
}

export async function listPolicies({ db }: Ctx<User>, query: QueryOf<typeof academies.policies>) {
  await currentPolicy(db);
  const rows = db.selectFrom("consentTexts").where("kind", "=", "policy");
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .leftJoin("users", "users.id", "publishedBy")
    .select(["consentTexts.version", "sha256", "publishedAt", "users.name as publishedBy"])
    .orderBy("consentTexts.version", "desc")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

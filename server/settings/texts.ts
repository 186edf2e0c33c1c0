import { createHash } from "node:crypto";
import type { Db } from "#server/core/database/db.ts";
import { defaultPolicy } from "#server/settings/defaultPolicy.ts";
import { listServices } from "#shared/consent/consentServices.ts";
import texts from "#shared/locales/en/consent.json" with { type: "json" };

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Kind = "cookies" | "policy";
const columns = ["id", "kind", "version", "body", "sha256", "publishedAt"] as const;

const findNewest = (db: Db, kind: Kind) =>
  db
    .selectFrom("consentTexts")
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1)
    .select(columns)
    .executeTakeFirst();

/** Publishes a version if `after` is still the newest; undefined if a concurrent call was faster. */
export const publishText = (db: Db, kind: Kind, body: string, after: number, publishedBy: string | null = null) =>
  db
    .insertInto("consentTexts")
    .values({ kind, version: after + 1, body, sha256: sha256(body), publishedBy })
    .onConflict((conflict) => conflict.columns(["kind", "version", "locale"]).doNothing())
    .returning(columns)
    .executeTakeFirst();

/**
 * The newest version of a text. Publishes `body` if there is none yet or, with `replaceIfChanged`, if it has changed.
 */
async function ensureText(db: Db, kind: Kind, body: string, replaceIfChanged: boolean) {
  const newest = await findNewest(db, kind);
  if (newest && !(replaceIfChanged && newest.body !== body)) return newest;
  return (
    (await publishText(db, kind, body, newest?.version ?? 0)) ??
    ((await findNewest(db, kind)) as NonNullable<typeof newest>)
  );
}

export const currentPolicy = (db: Db) => ensureText(db, "policy", defaultPolicy, false);

/** True if at least one company records pages; otherwise people are not asked about it. */
export const recordsPages = async (db: Db) =>
  (await db
    .selectFrom("companies")
    .where("recordPages", "=", true)
    .where("status", "=", "active")
    .select("id")
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * The cookie texts with all registered services and the policy that they refer to. After a change of texts, services or
 * policy there is a new version, and everyone is asked again (EDPB Guidelines 05/2020).
 */
export async function currentCookieText(db: Db) {
  const [policy, records] = await Promise.all([currentPolicy(db), recordsPages(db)]);
  return ensureText(
    db,
    "cookies",
    JSON.stringify({
      banner: texts.banner,
      dialog: texts.dialog,
      services: listServices(records),
      policy: { version: policy.version, sha256: policy.sha256 },
    }),
    true,
  );
}

export const findCookieTextByHash = (db: Db, hash: string) =>
  db
    .selectFrom("consentTexts")
    .where("kind", "=", "cookies")
    .where("sha256", "=", hash)
    .orderBy("version", "desc")
    .select(columns)
    .executeTakeFirst();

import { createHash } from "node:crypto";
import type { Db, Tx } from "#server/core/db.ts";
import { defaultPolicy } from "#server/settings/defaultPolicy.ts";
import { services } from "#shared/consent.ts";
import words from "#shared/locales/en/consent.json" with { type: "json" };

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Kind = "cookies" | "policy";
const columns = ["id", "kind", "version", "body", "sha256", "publishedAt"] as const;

const findNewest = (db: Db | Tx, kind: Kind) =>
  db
    .selectFrom("consentTexts")
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1)
    .select(columns)
    .executeTakeFirst();

/** Adds a version if `after` is still the newest; of two at once one wins, the other gets null. */
export const publishText = (db: Db | Tx, kind: Kind, body: string, after: number, publishedBy: string | null = null) =>
  db
    .insertInto("consentTexts")
    .values({ kind, version: after + 1, body, sha256: sha256(body), publishedBy })
    .onConflict((conflict) => conflict.columns(["kind", "version", "locale"]).doNothing())
    .returning(columns)
    .executeTakeFirst();

/** The newest version of a text; the one that should be there is published when it differs from it or nothing is there yet. */
async function ensureText(db: Db | Tx, kind: Kind, body: string, differs: boolean) {
  const found = await findNewest(db, kind);
  if (found && !(differs && found.body !== body)) return found;
  return (
    (await publishText(db, kind, body, found?.version ?? 0)) ??
    ((await findNewest(db, kind)) as NonNullable<typeof found>)
  );
}

export const currentPolicy = (db: Db | Tx) => ensureText(db, "policy", defaultPolicy, false);

/**
 * The cookie texts with everything that is registered and the policy they point to. A change of words, of services or of
 * the policy is a new version, and everybody is asked again (EDPB 05/2020).
 */
export async function currentCookieText(db: Db | Tx) {
  const policy = await currentPolicy(db);
  return ensureText(
    db,
    "cookies",
    JSON.stringify({
      banner: words.banner,
      dialog: words.dialog,
      services,
      policy: { version: policy.version, sha256: policy.sha256 },
    }),
    true,
  );
}

export const findCookieTextByHash = (db: Db | Tx, hash: string) =>
  db
    .selectFrom("consentTexts")
    .where("kind", "=", "cookies")
    .where("sha256", "=", hash)
    .orderBy("version", "desc")
    .select(columns)
    .executeTakeFirst();

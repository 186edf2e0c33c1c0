import Bowser from "bowser";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { sql } from "kysely";
import { removeRecordingsOf } from "#server/recordings/service.ts";
import { currentCookieText, findCookieTextByHash } from "#server/settings/texts.ts";
import { CONSENT_DAYS, type consents, type consentVia } from "#shared/consent/consent.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { z } from "zod";

/** Evidence of a decision from the request headers. Any part may be missing. */
export type ConsentEvidence = {
  consentId: string | null;
  textHash: string | null;
  decidedAt: string | null;
  via: z.infer<typeof consentVia> | null;
  gpc: boolean;
  userAgent: string;
};
const columns = [
  "id",
  "status",
  "policyVersion",
  "via",
  "gpc",
  "decidedAt",
  "recordedAt",
  "expiresAt",
  "browser",
  "preferences",
] as const;

/**
 * Records a decision, append-only. The text that was shown is found by its hash; times of the browser in the future
 * count as now. A decision that is sent again (lost response, two tabs) is recorded once.
 */
export async function recordConsent(
  { db, user }: Ctx<User>,
  { status, preferences }: BodyOf<typeof consents.record>,
  evidence: ConsentEvidence,
) {
  const shown = evidence.textHash ? await findCookieTextByHash(db, evidence.textHash) : undefined;
  const text = shown ?? (await currentCookieText(db));
  const decided = Date.parse(evidence.decidedAt ?? "");
  const decidedAt = new Date(Number.isNaN(decided) ? Date.now() : Math.min(decided, Date.now())).toISOString();
  const last = await db
    .selectFrom("consentRecords")
    .where("userId", "=", user.id)
    .orderBy("recordedAt", "desc")
    .limit(1)
    .select([...columns, "consentId"])
    .executeTakeFirst();
  if (last && evidence.consentId === last.consentId && last.decidedAt === decidedAt && last.status === status)
    return last;
  const { name = "" } = Bowser.parse(evidence.userAgent || "unknown").browser;
  return inTransaction(db, async (tx) => {
    if (!preferences.analytical) await removeRecordingsOf(tx, user.id);
    return tx
      .insertInto("consentRecords")
      .values({
        userId: user.id,
        consentId: evidence.consentId ?? sql`gen_random_uuid()`,
        status,
        preferences: JSON.stringify(preferences),
        policyVersion: text.version,
        textId: text.id,
        textShown: shown !== undefined,
        via: evidence.via ?? "banner",
        gpc: evidence.gpc,
        browser: name || null,
        decidedAt,
        supersedes: last?.id ?? null,
        expiresAt: new Date(Date.parse(decidedAt) + CONSENT_DAYS * 86_400_000).toISOString(),
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
  });
}

export async function listConsents({ db, user }: Ctx<User>, query: QueryOf<typeof consents.list>) {
  const rows = db.selectFrom("consentRecords").where("userId", "=", user.id);
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select(columns)
    .orderBy("recordedAt", "desc")
    .orderBy("id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

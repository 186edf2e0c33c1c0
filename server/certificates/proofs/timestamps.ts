import { sql } from "kysely";
import { headsOf, signedHead } from "#server/certificates/proofs/heads.ts";
import { createRequest, MAX_REPLY, readReply } from "#server/certificates/proofs/timestampReply.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { headText } from "#shared/certificates/proof.ts";

/** The most heads of one run. */
const BATCH = 500;
/** The longest time of a request, and that after which a run starts no other. */
const TIMEOUT_MS = 30_000;
const RUN_MS = 5 * 60_000;
/** A head that is older is not sent any more. */
const DAYS = 7;
/** How far the clock of an authority may be from ours. */
const CLOCK_MS = 60 * 60_000;

/**
 * Has the signed roots of days that have ended time-stamped, newest first. Stops at the first that fails, or after five
 * minutes; the next run continues. Does nothing without `TIMESTAMP_URL`.
 */
export async function timestampHeads(services: Services) {
  const { db, config, log } = services;
  const { timestampUrl } = config;
  if (timestampUrl === undefined) return;
  const until = performance.now() + RUN_MS;
  for (const { issuer, ...head } of await findUnstamped(db)) {
    if (performance.now() > until) return;
    const text = headText(signedHead(issuer, head));
    try {
      const { reply, at, authority } = await askAuthority(services, timestampUrl, text);
      await db
        .insertInto("certificateTimestamps")
        .values({ companyId: issuer, day: head.day, reply, authority, stampedAt: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } catch (error) {
      log.warn({ err: error, issuer, day: head.day }, "The authority in TIMESTAMP_URL has not time-stamped a root");
      return;
    }
  }
}

/** A day counts as over an hour after its end: a transaction that has begun in it may still sign its root. */
const findUnstamped = (db: Db) =>
  headsOf(db)
    .where("heads.day", "<", sql<string>`((now() - interval '1 hour') at time zone 'UTC')::date`)
    .where("heads.day", ">=", sql<string>`(now() at time zone 'UTC')::date - ${DAYS}::int`)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("certificateTimestamps as stamps")
            .whereRef("stamps.companyId", "=", "heads.companyId")
            .whereRef("stamps.day", "=", "heads.day"),
        ),
      ),
    )
    .orderBy("heads.day", "desc")
    .orderBy("heads.companyId")
    .limit(BATCH)
    .execute();

async function askAuthority(services: Services, url: string, text: string) {
  const { bytes, nonce } = await createRequest(text);
  const response = await services.fetch(url, {
    method: "POST",
    headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    body: bytes,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_REPLY,
  });
  if (!response.ok) throw new Error(`the authority answered ${response.status}`);
  const reply = Buffer.from(await response.arrayBuffer());
  const stamp = await readReply(reply, text, nonce);
  if (Math.abs(stamp.at.getTime() - Date.now()) > CLOCK_MS) throw new Error(`its clock says ${stamp.at.toISOString()}`);
  return { reply, ...stamp };
}

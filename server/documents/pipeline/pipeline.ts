import { sql } from "kysely";
import type { Services } from "#server/core/services.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import { type Leased, LostLease, MAX_TRIES, takeVersion } from "#server/documents/pipeline/leases.ts";
import { runStage } from "#server/documents/pipeline/stages.ts";
import type { FailureCode } from "#shared/documents/documentVersions.ts";

/** Failures that are retried. */
const RETRIED = new Set<FailureCode>(["parserCrash", "unreachable"]);
/** Delay of a retry, in seconds. */
const RETRY_SECONDS = 5;

const running = new WeakMap<Services["pool"], { again: boolean }>();

/** Processes versions, one at a time on this server, until none is left. */
export async function runPipeline(services: Services) {
  const own = running.get(services.pool);
  if (own) {
    own.again = true;
    return;
  }
  const state = { again: true };
  running.set(services.pool, state);
  try {
    while (state.again) {
      state.again = false;
      for (let version = await takeVersion(services.db); version; version = await takeVersion(services.db))
        await processVersion(services, version);
    }
  } finally {
    running.delete(services.pool);
  }
}

async function processVersion(services: Services, version: Leased) {
  const { log } = services;
  try {
    // Each stage stores its result, so that another server can continue from there.
    while (await runStage(services, version)) await services.admission.pause();
  } catch (error) {
    if (error instanceof LostLease) return;
    const failure = error instanceof ParserFailure ? error : null;
    if (!failure) log.warn({ err: error, versionId: version.id }, "a document was not processed");
    await fail(services, version, failure).catch((lost: unknown) => {
      if (!(lost instanceof LostLease)) throw lost;
    });
  } finally {
    version.release();
  }
}

async function fail({ db }: Services, version: Leased, failure: ParserFailure | null) {
  const row = await db.selectFrom("documentVersions").where("id", "=", version.id).select("tries").executeTakeFirst();
  if (!row) return;
  const { tries } = row;
  const isRetried = (!failure || RETRIED.has(failure.code)) && tries < MAX_TRIES;
  await version.update(
    isRetried
      ? { nextTryAt: sql`now() + make_interval(secs => ${RETRY_SECONDS * tries})`, lease: null, leasedUntil: null }
      : {
          state: "failed",
          code: failure?.code ?? "crashed",
          page: failure?.page ?? null,
          lease: null,
          leasedUntil: null,
        },
  );
}

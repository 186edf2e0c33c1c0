import { sql } from "kysely";
import type { Config } from "#server/core/config.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { type Completion, readCompletions, type Source } from "#server/transcripts/completions.ts";
import { digestOf } from "#server/transcripts/digest.ts";
import { idIn, isTokenOf } from "#server/transcripts/links.ts";
import { readOwn } from "#server/transcripts/service.ts";
import type { User } from "#shared/core/users.ts";
import type {
  CheckedTranscript,
  EntryState,
  TranscriptEntry,
  TranscriptFacts,
} from "#shared/transcripts/transcripts.ts";

type Stored = {
  personId: string;
  companyId: string;
  facts: TranscriptFacts;
  sources: Source[];
  digest: string;
  until: string | null;
};

const keyOf = ({ enrolmentId, cycle }: Source) => `${enrolmentId} ${cycle}`;

/** Times grow while a person looks at a course again, so they are not compared. */
function stateOf(entry: TranscriptEntry, today: Completion | undefined, { withScores }: TranscriptFacts): EntryState {
  if (!today) return "gone";
  const isSame =
    entry.completedOn === today.completedOn &&
    entry.success === today.success &&
    entry.setByAdmin === today.setByAdmin &&
    (!withScores || entry.scorePercent === today.scorePercent);
  return isSame ? "same" : "changed";
}

/** A transcript as it was issued, and each entry compared with the records of today. */
async function check(db: Db, stored: Stored): Promise<CheckedTranscript> {
  const { facts, sources, digest, personId, companyId, until } = stored;
  const enrolmentIds = sources.map(({ enrolmentId }) => enrolmentId);
  const completions = await readCompletions(db, { personId, companyId, zone: facts.zone, enrolmentIds });
  const byKey = new Map(completions.map((one) => [keyOf(one), one]));
  return {
    facts,
    digest,
    isUnchanged: digestOf(facts) === digest,
    states: facts.entries.map((entry, at) => stateOf(entry, byKey.get(keyOf(sources[at] as Source)), facts)),
    checkedAt: new Date().toISOString(),
    until,
  };
}

export const checkOwn = async (ctx: Ctx<User>, id: string) => check(ctx.db, await readOwn(ctx, id));

/** What everyone who has the link may read; null if it never worked or has ended, whichever it is. */
export async function openLink(
  { db, config }: { db: Db; config: Pick<Config, "secret"> },
  token: string,
): Promise<CheckedTranscript | null> {
  const id = idIn(token);
  if (id === null) return null;
  const stored = await db
    .selectFrom("transcripts")
    .where("id", "=", id)
    .where("linkUntil", ">", sql<string>`now()`)
    .select(["personId", "companyId", "facts", "sources", "digest", "linkNo", "linkUntil as until"])
    .executeTakeFirst();
  if (!stored || !isTokenOf(config, token, id, stored.linkNo)) return null;
  await countOpening(db, id);
  return check(db, stored);
}

/** Counts at most one opening a minute, so that nobody makes the row grow by reloading. */
const countOpening = (db: Db, id: string) =>
  sql`
    update transcripts
    set opened = opened + 1, last_opened_at = now()
    where id = ${id}
      and coalesce(last_opened_at < now() - interval '1 minute', true)`.execute(db);

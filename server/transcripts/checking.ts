import { sql } from "kysely";
import type { Config } from "#server/core/config.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { type Completion, readCompletions, type Source } from "#server/transcripts/completions.ts";
import { digestOf } from "#server/transcripts/digest.ts";
import { idIn, isTokenOf } from "#server/transcripts/links.ts";
import { lastDay, readOwn } from "#server/transcripts/service.ts";
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
  lastDay: string | null;
};

const keyOf = ({ enrolmentId, cycle }: Pick<Source, "enrolmentId" | "cycle">) => `${enrolmentId} ${cycle}`;

const ranks = { failed: 0, unknown: 1, passed: 2 };
const isEarlier = (day: string | null, than: string | null) => day !== null && than !== null && day < than;

/** Times spent grow while a person looks at a course again, so they are not compared. */
function stateOf(
  { completedAt }: Source,
  entry: TranscriptEntry,
  today: Completion | undefined,
  { withScores }: TranscriptFacts,
): EntryState {
  if (!today) return "gone";
  const isLess =
    ranks[today.success] < ranks[entry.success] ||
    (withScores && entry.scorePercent !== null && (today.scorePercent ?? -1) < entry.scorePercent);
  const isOther = today.completedAt !== completedAt || today.setByAdmin !== entry.setByAdmin;
  if (isLess || isOther) return "changed";
  if (entry.certificate !== null && entry.certificate !== today.certificate) return "certificate";
  return isEarlier(today.validUntil, entry.validUntil) ? "changed" : "same";
}

/** A transcript as it was issued, and each entry compared with the records of today. */
async function check(db: Db, stored: Stored): Promise<CheckedTranscript> {
  const { facts, sources, digest, personId, companyId, lastDay: day } = stored;
  const completions = await readCompletions(db, { personId, companyId, zone: facts.zone, only: sources });
  const byKey = new Map(completions.map((one) => [keyOf(one), one]));
  return {
    facts,
    digest,
    isUnchanged: digestOf(facts) === digest,
    states: facts.entries.map((entry, at) => {
      const source = sources[at] as Source;
      return stateOf(source, entry, byKey.get(keyOf(source)), facts);
    }),
    checkedAt: new Date().toISOString(),
    lastDay: day,
  };
}

export const checkOwn = async (ctx: Ctx<User>, id: string) => check(ctx.db, await readOwn(ctx, id));

/** What everyone who has the link may read; null if it never worked or has ended, whichever it is. */
export async function openLink(
  { db, config, user }: { db: Db; config: Pick<Config, "secret">; user: User | null },
  token: string,
): Promise<CheckedTranscript | null> {
  const id = idIn(token);
  if (id === null) return null;
  const stored = await db
    .selectFrom("transcripts")
    .where("id", "=", id)
    .where("linkUntil", ">", sql<string>`now()`)
    .select(["personId", "companyId", "facts", "sources", "digest", "linkNo", lastDay.as("lastDay")])
    .executeTakeFirst();
  if (!stored || !isTokenOf(config, token, id, stored.linkNo)) return null;
  if (user?.id !== stored.personId) await countOpening(db, id);
  return check(db, stored);
}

/** Counts at most one opening a minute, so that nobody makes the row grow by reloading. */
const countOpening = (db: Db, id: string) =>
  sql`
    update transcripts
    set opened = opened + 1, last_opened_at = now()
    where id = ${id}
      and coalesce(last_opened_at < now() - interval '1 minute', true)`.execute(db);

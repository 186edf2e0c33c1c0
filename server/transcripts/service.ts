import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf, readPage } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { countCompletions, readCompletions } from "#server/transcripts/completions.ts";
import { digestOf } from "#server/transcripts/digest.ts";
import { linkOf } from "#server/transcripts/links.ts";
import { numberOf, RANDOM_CHARACTERS } from "#shared/certificates/numbers.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import {
  MAX_A_DAY,
  MAX_KEPT,
  type Transcript,
  type TranscriptFacts,
  type transcripts,
} from "#shared/transcripts/transcripts.ts";

// Transcripts of the person who asks: nobody else lists, issues, shares or deletes them

type Own = Pick<Ctx<User>, "db" | "user" | "config">;

/** SQL: the last day of the link, in the time zone of the company; null if the transcript is not shared. */
export const lastDay = sql<string | null>`case
    when transcripts.link_until > now()
      then ((transcripts.link_until - interval '1 second') at time zone (transcripts.facts ->> 'zone'))::date::text
  end`;

const selectOwn = ({ db, user }: Pick<Own, "db" | "user">) =>
  db.selectFrom("transcripts").where("transcripts.personId", "=", user.id);

const selectShown = (ctx: Own) =>
  selectOwn(ctx).select([
    "transcripts.id",
    "transcripts.number",
    "transcripts.issuedAt",
    sql<number>`jsonb_array_length(transcripts.facts -> 'entries')`.as("entries"),
    sql<boolean>`(transcripts.facts ->> 'withScores')::boolean`.as("withScores"),
    sql<boolean>`(transcripts.facts ->> 'withTimes')::boolean`.as("withTimes"),
    sql<string>`transcripts.facts ->> 'holder'`.as("holder"),
    sql<string>`transcripts.facts ->> 'zone'`.as("zone"),
    lastDay.as("lastDay"),
    "transcripts.linkNo",
    "transcripts.opened",
    "transcripts.lastOpenedAt",
  ]);
type Row = Awaited<ReturnType<ReturnType<typeof selectShown>["executeTakeFirstOrThrow"]>>;

const toTranscript = ({ config }: Own, { lastDay: day, linkNo, ...row }: Row): Transcript => ({
  ...row,
  link: day === null ? null : { url: linkOf(config, row.id, linkNo), lastDay: day },
});

const getOwn = async (ctx: Own, id: string) =>
  toTranscript(ctx, await selectShown(ctx).where("transcripts.id", "=", id).executeTakeFirstOrThrow(notFound));

/** The company of a person, its time zone, and the name by which the transcript calls them; nothing for admins. */
const readPerson = ({ db, user }: Pick<Own, "db" | "user">) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .leftJoin("personnelNumbers as numbers", (join) =>
      join.onRef("numbers.userId", "=", "users.id").onRef("numbers.companyId", "=", "companies.id"),
    )
    .where("users.id", "=", user.id)
    .select([
      "companies.id as companyId",
      "companies.name as company",
      "companies.timezone as zone",
      sql<string>`coalesce(nullif(users.name, ''), numbers.number, users.email, '')`.as("holder"),
    ])
    .executeTakeFirst();

/** One page of the person's transcripts, newest first, and how many completions a new one would have. */
export async function listTranscripts(ctx: Own, query: QueryOf<typeof transcripts.list>) {
  const person = await readPerson(ctx);
  const completed = person ? await countCompletions(ctx.db, { personId: ctx.user.id, ...person }) : 0;
  const found = await readPage<Row>(query, {
    ids: selectOwn(ctx).orderBy("transcripts.issuedAt", "desc").orderBy("transcripts.id").select("transcripts.id"),
    total: selectOwn(ctx).select(sql<number>`count(*)::int`.as("total")),
    rows: (ids) => selectShown(ctx).where(isOneOf("transcripts.id", ids)).execute(),
  });
  return { ...found, items: found.items.map((row) => toTranscript(ctx, row)), completed };
}

/** Throws 409 if the person has issued too many transcripts in 24 hours, or keeps too many. */
async function checkLimits(tx: Tx, personId: string) {
  await tx.selectFrom("users").where("id", "=", personId).select("id").forNoKeyUpdate().execute();
  const { today, all } = await tx
    .selectFrom("transcripts")
    .where("personId", "=", personId)
    .select(sql<number>`count(*) filter (where issued_at > now() - interval '1 day')::int`.as("today"))
    .select(sql<number>`count(*)::int`.as("all"))
    .executeTakeFirstOrThrow();
  if (today >= MAX_A_DAY) throw conflict("transcripts.tooManyToday", undefined, { count: MAX_A_DAY });
  if (all >= MAX_KEPT) throw conflict("transcripts.tooMany", undefined, { count: MAX_KEPT });
}

/** Freezes what the person has completed in their company, with a number and a digest. */
export async function issueTranscript(ctx: Own, { withScores, withTimes }: BodyOf<typeof transcripts.issue>) {
  const personId = ctx.user.id;
  const id = await inTransaction(ctx.db, async (tx) => {
    await checkLimits(tx, personId);
    const person = await readPerson({ ...ctx, db: tx });
    const completions = person ? await readCompletions(tx, { personId, ...person }) : [];
    const [newest] = completions;
    if (!person || !newest) throw conflict("transcripts.nothing");
    const { companyId, company, zone, holder } = person;
    const facts: TranscriptFacts = {
      format: "lyceum-transcript-1",
      // Not the number of a certificate, which `/verify` checks.
      number: `T-${numberOf(company, randomBytes(RANDOM_CHARACTERS * 8))}`,
      issuer: company,
      holder,
      issuedAt: new Date().toISOString(),
      zone,
      withScores,
      withTimes,
      total: newest.total,
      entries: completions.map(
        ({ enrolmentId: _, cycle: _c, courseId: _course, completedAt: _at, total: _total, ...entry }) => ({
          ...entry,
          scorePercent: withScores ? entry.scorePercent : null,
          activeSeconds: withTimes ? entry.activeSeconds : null,
          reportedSeconds: withTimes ? entry.reportedSeconds : null,
        }),
      ),
    };
    const made = await tx
      .insertInto("transcripts")
      .values({
        number: facts.number,
        companyId,
        personId,
        facts: JSON.stringify(facts),
        sources: JSON.stringify(
          completions.map(({ enrolmentId, cycle, completedAt }) => ({ enrolmentId, cycle, completedAt })),
        ),
        digest: digestOf(facts),
        issuedAt: facts.issuedAt,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "transcripts.issue", people: [personId], companyId });
    return made.id;
  });
  return getOwn(ctx, id);
}

/** SQL: the end of a day of the company, so many days from now. */
const endOfDay = (days: number) => sql<string>`
  ((now() at time zone (facts ->> 'zone'))::date + ${days + 1}::integer)::timestamp at time zone (facts ->> 'zone')`;
const isWorking = sql<boolean>`coalesce(link_until > now(), false)`;

/** Changes the link of a transcript of the person. One that still works stays the same, as on printed copies. */
const changeLink = async (ctx: Own, id: string, days: number | null) => {
  await inTransaction(ctx.db, async (tx) => {
    const { companyId } = await tx
      .updateTable("transcripts")
      .set({
        linkUntil: days === null ? null : endOfDay(days),
        linkNo: sql`case when ${isWorking} then link_no else link_no + 1 end`,
        opened: sql`case when ${isWorking} then opened else 0 end`,
        lastOpenedAt: sql`case when ${isWorking} then last_opened_at end`,
      })
      .where("id", "=", id)
      .where("personId", "=", ctx.user.id)
      .returning("companyId")
      .executeTakeFirstOrThrow(notFound);
    const action = days === null ? "transcripts.unshare" : "transcripts.share";
    await record(tx, ctx, { action, people: [ctx.user.id], companyId });
  });
  return getOwn(ctx, id);
};

export const shareTranscript = (ctx: Own, id: string, { days }: BodyOf<typeof transcripts.share>) =>
  changeLink(ctx, id, days);
export const unshareTranscript = (ctx: Own, id: string) => changeLink(ctx, id, null);

export const removeTranscript = (ctx: Own, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const { companyId } = await tx
      .deleteFrom("transcripts")
      .where("id", "=", id)
      .where("personId", "=", ctx.user.id)
      .returning("companyId")
      .executeTakeFirstOrThrow(notFound);
    await record(tx, ctx, { action: "transcripts.remove", people: [ctx.user.id], companyId });
  });

/** Everything that is stored of a transcript of the person; 404 for any other. */
export const readOwn = (ctx: Own, id: string) =>
  selectOwn(ctx)
    .where("transcripts.id", "=", id)
    .selectAll("transcripts")
    .select(lastDay.as("lastDay"))
    .executeTakeFirstOrThrow(notFound);

import { sql } from "kysely";
import { countCourses } from "#server/auditPacks/content/indexPage.ts";
import { completionsAsOf } from "#server/auditPacks/content/completionFiles.ts";
import { digestOf } from "#server/auditPacks/content/pack.ts";
import type { Pack } from "#server/auditPacks/content/packFile.ts";
import { idOf } from "#server/auditPacks/links/token.ts";
import { isWorking, type PackRow, selectPacks, toPack } from "#server/auditPacks/packRows.ts";
import { asFile } from "#server/auditPacks/service.ts";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { heldAsOf } from "#server/requirements/history/held.ts";
import { AUDITOR } from "#shared/audit/audit.ts";
import {
  type Audit,
  type AuditedCompletion,
  type AuditedPerson,
  type AuditedRecord,
  type auditPacks,
  MAX_SAMPLES,
  type Opening,
  type Sample,
} from "#shared/auditPacks/auditPacks.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import type { BodyOf } from "#shared/core/route.ts";

/** Repeated openings of the same thing within this time are recorded once. */
const SAME_OPENING = "1 minute";
/** The most openings that are recorded of a link. After that it does not work. */
const MAX_OPENINGS = 10_000;

type Anyone = Pick<Ctx, "db" | "config">;
type Link = { id: string; label: string; seed: string; mayDownload: boolean; until: string; row: PackRow; pack: Pack };

/** The link of a token, if it works. */
async function findLink({ db, config }: Anyone, token: string): Promise<Link | null> {
  const id = idOf(config, token);
  if (id === null) return null;
  const link = await db
    .selectFrom("auditLinks")
    .where("id", "=", id)
    .where(isWorking)
    .select(["id", "packId", "label", "seed", "mayDownload", "until"])
    .executeTakeFirst();
  if (!link) return null;
  const row = await selectPacks(db).where("auditPacks.id", "=", link.packId).executeTakeFirst();
  return row ? { ...link, row, pack: toPack(row) } : null;
}

async function readLink(ctx: Anyone, token: string): Promise<Link> {
  const link = await findLink(ctx, token);
  if (!link) throw notFound();
  return link;
}

type Opened = { what: Opening["what"]; sampleNo?: number; personId?: string | null };

/** Records what an auditor opens, for the company, and records of a person also for that person. */
const recordOpening = ({ db }: Anyone, link: Link, { what, sampleNo = 0, personId = null }: Opened) =>
  inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit link ${link.id}`}, 0))`.execute(tx);
    const { rows } = await sql<{ count: number; isRecorded: boolean }>`
      select
        count(*)::int as count,
        coalesce(bool_or(
          what = ${what}
          and coalesce(sample_no, 0) = ${sampleNo}
          and person_id is not distinct from ${personId}::uuid
          and opened_at > now() - ${SAME_OPENING}::interval
        ), false) as is_recorded
      from audit_openings
      where link_id = ${link.id}`.execute(tx);
    const [{ count, isRecorded }] = rows as [{ count: number; isRecorded: boolean }];
    if (isRecorded) return;
    if (count >= MAX_OPENINGS) throw notFound();
    // The person may have been erased meanwhile.
    const known = personId
      ? await tx.selectFrom("users").where("id", "=", personId).select("id").forKeyShare().executeTakeFirst()
      : undefined;
    await tx
      .insertInto("auditOpenings")
      .values({ linkId: link.id, what, sampleNo: sampleNo || null, personId: known?.id ?? null })
      .execute();
    if (known)
      await record(
        tx,
        { user: { id: null, role: AUDITOR } },
        { action: "auditPacks.person", people: [known.id], companyId: link.pack.companyId },
      );
  });

const selectSamples = (db: Db, { id }: Link) =>
  db
    .selectFrom("auditSamples")
    .where("linkId", "=", id)
    .orderBy("no")
    .select(["no", "size", "courseId", "state", "population", "drawnAt"]);

/** What an auditor reads first; null if the link does not work, whyever. */
export async function openAudit(ctx: Anyone, token: string): Promise<Audit | null> {
  const link = await findLink(ctx, token);
  if (!link) return null;
  const { row, pack, label, until, mayDownload, seed } = link;
  await recordOpening(ctx, link, { what: "overview" });
  return {
    number: pack.number,
    company: row.company,
    label,
    from: pack.fromDay,
    to: pack.toDay,
    asOf: pack.at,
    day: pack.day,
    zone: pack.zone,
    until,
    ...(await countCourses(ctx.db, pack)),
    mayDownload: mayDownload && row.files !== null,
    digest: row.files && digestOf(pack, row.files),
    seed,
    samples: await selectSamples(ctx.db, link).execute(),
  };
}

type Choice = { seed: string; no: number; courseId: string | null; state: string | null };

/**
 * SQL: `held`, and `drawn`: the people who match, in the order in which they are drawn, with `key` and `person_id`. The
 * key of a person is their first requirement by its id, which an erasure does not change. `verify.mjs` draws the same.
 */
const drawFrom = (pack: Pack, { seed, no, courseId, state }: Choice) => sql`
    held as materialized (${heldAsOf(pack, pack.courseIds)}),
    drawn as materialized (
      select
        person_id,
        key,
        row_number() over (
          order by encode(sha256(convert_to(${`${seed}:${no}:`} || key, 'UTF8')), 'hex') collate "C"
        ) as place
      from (
        select person_id, min(enrolment_id::text collate "C") as key
        from held
        group by person_id
        having bool_or(
          (${courseId}::uuid is null or course_id = ${courseId}::uuid)
          and (${state}::text is null or state = ${state}::text)
        )
      ) matching
    )`;

/** Draws a sample: who is in it follows from the seed of the link, the number of the sample and the choice. */
export async function drawSample(
  ctx: Anyone,
  token: string,
  { size, courseId, state }: BodyOf<typeof auditPacks.draw>,
): Promise<Sample> {
  const link = await readLink(ctx, token);
  const { pack, seed } = link;
  const { rows } = await sql<{ count: number }>`
    with ${drawFrom(pack, { seed, no: 0, courseId, state })}
    select count(*)::int as count
    from drawn`.execute(ctx.db);
  const population = rows[0]?.count ?? 0;
  if (population === 0) throw conflict("auditPacks.nobody");
  return inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom("auditLinks").where("id", "=", link.id).select("id").forNoKeyUpdate().executeTakeFirst();
    const { last } = await tx
      .selectFrom("auditSamples")
      .where("linkId", "=", link.id)
      .select(sql<number>`coalesce(max(no), 0)::int`.as("last"))
      .executeTakeFirstOrThrow();
    if (last >= MAX_SAMPLES) throw conflict("auditPacks.tooManySamples", undefined, { count: MAX_SAMPLES });
    const drawn = { no: last + 1, size: Math.min(size, population), courseId, state, population };
    const { drawnAt } = await tx
      .insertInto("auditSamples")
      .values({ linkId: link.id, ...drawn })
      .returning("drawnAt")
      .executeTakeFirstOrThrow();
    return { ...drawn, drawnAt };
  });
}

const readSample = async ({ db }: Anyone, link: Link, no: number): Promise<Sample> =>
  selectSamples(db, link).where("no", "=", no).executeTakeFirstOrThrow(notFound);

type PersonRow = AuditedPerson & { personId: string };

/** The people of a sample in the order in which they were drawn, or one of them. */
async function readPeople({ db }: Anyone, { pack, seed }: Link, sample: Sample, key: string | null) {
  const { rows } = await sql<PersonRow>`
    with ${drawFrom(pack, { seed, ...sample })}
    select
      drawn.key, drawn.person_id,
      coalesce(nullif(users.name, ''), users.email, ${personnelNumber}, ${texts.files.erased}) as name,
      ${personnelNumber} as personnel_number,
      (
        select json_agg(json_build_object(
          'courseId', held.course_id, 'state', held.state, 'completedOn', held.completed_on,
          'validUntil', held.valid_until, 'dueDate', held.due_date
        ) order by array_position(${pack.courseIds}::uuid[], held.course_id))
        from held
        where held.person_id = drawn.person_id
      ) as cells
    from drawn
    left join users on users.id = drawn.person_id
    where drawn.place <= ${sample.size}
      and (${key}::text is null or drawn.key = ${key}::text)
    order by drawn.place`.execute(db);
  return rows;
}

export async function openSample(ctx: Anyone, token: string, no: number) {
  const link = await readLink(ctx, token);
  const sample = await readSample(ctx, link, no);
  await recordOpening(ctx, link, { what: "sample", sampleNo: no });
  const people = await readPeople(ctx, link, sample, null);
  return { sample, people: people.map(({ personId: _, ...person }) => person) };
}

/** What a person of a sample has completed in the courses of the pack, the newest first; 404 for anybody else. */
export async function openPerson(ctx: Anyone, token: string, no: number, key: string): Promise<AuditedRecord> {
  const link = await readLink(ctx, token);
  const sample = await readSample(ctx, link, no);
  const [found] = await readPeople(ctx, link, sample, key);
  if (!found) throw notFound();
  const { personId, ...person } = found;
  await recordOpening(ctx, link, { what: "person", sampleNo: no, personId });
  const { rows } = await sql<AuditedCompletion>`
    select
      coalesce(courses.title, ${texts.files.deleted}) as course, done.version, done.completed_on::text, done.success,
      done.score_percent, done.active_minutes, done.reported_minutes, done.rule, done.source, done.reference,
      done.certificate, done.taken_back_on
    from (${completionsAsOf(link.pack)}) done
    left join courses on courses.id = done.course_id
    where done.person_id = ${personId}
    order by done.completed_on desc, done.record desc`.execute(ctx.db);
  return { ...person, completions: rows };
}

export async function sendToAuditor(ctx: Anyone & Pick<Ctx, "pools">, token: string) {
  const link = await readLink(ctx, token);
  if (!link.mayDownload) throw notFound();
  const file = asFile(ctx, link.row);
  await recordOpening(ctx, link, { what: "download" });
  return file;
}

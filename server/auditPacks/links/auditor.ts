import { sql } from "kysely";
import { completionsAsOf } from "#server/auditPacks/content/completionFiles.ts";
import { digestOf } from "#server/auditPacks/content/pack.ts";
import type { Pack } from "#server/auditPacks/content/packFile.ts";
import { idOf } from "#server/auditPacks/links/token.ts";
import { isWorking, type PackRow, refuseOutdated, selectPacks, toPack } from "#server/auditPacks/packRows.ts";
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
  MAX_DOWNLOADS,
  MAX_SAMPLES,
  type Opening,
  type Sample,
} from "#shared/auditPacks/auditPacks.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import type { BodyOf } from "#shared/core/route.ts";

/** Repeated openings of the same thing within this time are recorded once. */
const SAME_OPENING = "1 minute";
/** The most openings that are recorded of a link. After that, nothing more can be opened. */
const MAX_OPENINGS = 10_000;

type Anyone = Pick<Ctx, "db" | "config" | "user">;
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

/**
 * Records what is opened by a link, for the company, and records of a person also for that person. A person who is
 * signed in is named in the audit log.
 */
const recordOpening = ({ db, user }: Anyone, link: Link, { what, sampleNo = 0, personId = null }: Opened) =>
  inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit link ${link.id}`}, 0))`.execute(tx);
    // The person may have been erased meanwhile.
    const known = personId
      ? await tx.selectFrom("users").where("id", "=", personId).select("id").forKeyShare().executeTakeFirst()
      : undefined;
    const { rows } = await sql<{ count: number; downloads: number; isRecorded: boolean }>`
      select
        count(*)::int as count,
        (count(*) filter (where what = 'download' and opened_at > now() - interval '1 hour'))::int as downloads,
        coalesce(bool_or(
          what = ${what}
          and coalesce(sample_no, 0) = ${sampleNo}
          and person_id is not distinct from ${known?.id ?? null}::uuid
          and opened_at > now() - ${SAME_OPENING}::interval
        ), false) as is_recorded
      from audit_openings
      where link_id = ${link.id}`.execute(tx);
    const [{ count, downloads, isRecorded }] = rows as [{ count: number; downloads: number; isRecorded: boolean }];
    const isDownload = what === "download";
    if (isDownload && downloads >= MAX_DOWNLOADS)
      throw conflict("auditPacks.tooManyDownloads", undefined, { count: MAX_DOWNLOADS });
    if (isRecorded && !isDownload) return;
    if (count >= MAX_OPENINGS) throw conflict("auditPacks.tooManyOpenings");
    await tx
      .insertInto("auditOpenings")
      .values({ linkId: link.id, what, sampleNo: sampleNo || null, personId: known?.id ?? null })
      .execute();
    const { companyId } = link.pack;
    const actor = { user: user ?? ({ id: null, role: AUDITOR } as const) };
    if (known) await record(tx, actor, { action: "auditPacks.person", people: [known.id], companyId });
    if (isDownload) await record(tx, actor, { action: "auditPacks.file", companyId });
  });

const selectSamples = (db: Db, { id }: Link) =>
  db
    .selectFrom("auditSamples")
    .where("linkId", "=", id)
    .orderBy("no")
    .select(["no", "size", "courseId", "state", "population", "drawnAt"]);

/** What an auditor reads first; null if the link does not work. */
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
    ...(row.counts ?? { people: 0, courses: [] }),
    mayDownload: mayDownload && row.files !== null,
    digest: row.files && digestOf(pack, row.files),
    seed,
    samples: await selectSamples(ctx.db, link).execute(),
  };
}

type Choice = { seed: string; no: number; courseId: string | null; state: string | null };

/**
 * SQL: the people who match, in the order in which they are drawn. The key of a person is their first requirement by
 * its id, which an erasure does not change. `verify.mjs` draws the same.
 */
const drawFrom = (pack: Pack, { seed, no, courseId, state }: Choice) => sql`
    select
      key,
      row_number() over (
        order by encode(sha256(convert_to(${`${seed}:${no}:`} || key, 'UTF8')), 'hex') collate "C"
      ) as place
    from (
      select min(enrolment_id::text collate "C") as key
      from (${heldAsOf(pack, pack.courseIds)}) held
      group by person_id
      having bool_or(
        (${courseId}::uuid is null or course_id = ${courseId}::uuid)
        and (${state}::text is null or state = ${state}::text)
      )
    ) matching`;

/** Draws a sample: who is in it follows from the seed of the link, the number of the sample and the choice. */
export async function drawSample(
  ctx: Anyone,
  token: string,
  { size, courseId, state }: BodyOf<typeof auditPacks.draw>,
): Promise<Sample> {
  const link = await readLink(ctx, token);
  return inTransaction(ctx.db, async (tx) => {
    // One at a time, and nobody waits for it with a connection.
    const locked = await tx
      .selectFrom("auditLinks")
      .where("id", "=", link.id)
      .select("id")
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!locked) throw conflict("auditPacks.drawing");
    const { last } = await tx
      .selectFrom("auditSamples")
      .where("linkId", "=", link.id)
      .select(sql<number>`coalesce(max(no), 0)::int`.as("last"))
      .executeTakeFirstOrThrow();
    if (last >= MAX_SAMPLES) throw conflict("auditPacks.tooManySamples", undefined, { count: MAX_SAMPLES });
    const choice = { no: last + 1, courseId, state };
    const { rows } = await sql<{ population: number; keys: string[] | null }>`
      select
        count(*)::int as population,
        array_agg(key order by place) filter (where place <= ${size}) as keys
      from (${drawFrom(link.pack, { seed: link.seed, ...choice })}) drawn`.execute(tx);
    const [{ population, keys }] = rows as [{ population: number; keys: string[] | null }];
    if (!keys) throw conflict("auditPacks.nobody");
    const drawn = { ...choice, size: keys.length, population };
    const { drawnAt } = await tx
      .insertInto("auditSamples")
      .values({ linkId: link.id, ...drawn, keys })
      .returning("drawnAt")
      .executeTakeFirstOrThrow();
    return { ...drawn, drawnAt };
  });
}

const readSample = async ({ db }: Anyone, link: Link, no: number): Promise<Sample & { keys: string[] }> =>
  selectSamples(db, link).where("no", "=", no).select("keys").executeTakeFirstOrThrow(notFound);

type PersonRow = AuditedPerson & { personId: string };

/** People by their keys, in this order. */
async function readPeople({ db }: Anyone, { pack }: Link, keys: string[]) {
  const ofPeople = sql`enrolment_id in (
    select enrolment_id
    from enrolment_history
    where person_id in (select person_id from enrolment_history where enrolment_id = any(${keys}::uuid[]))
  )`;
  const { companyId } = pack;
  const { rows } = await sql<PersonRow>`
    with held as materialized (${heldAsOf(pack, pack.courseIds, ofPeople)})
    select
      drawn.key, of_key.person_id,
      case
        when users.id is null then ${texts.files.erased}
        when users.company_id = ${companyId} then coalesce(nullif(users.name, ''), users.email, '')
        else users.name
      end as name,
      case when users.company_id = ${companyId} then ${personnelNumber} end as personnel_number,
      (
        select json_agg(json_build_object(
          'courseId', held.course_id, 'state', held.state, 'completedOn', held.completed_on,
          'validUntil', held.valid_until, 'dueDate', held.due_date,
          'exemptUntil', held.exempt_until
        ) order by array_position(${pack.courseIds}::uuid[], held.course_id))
        from held
        where held.person_id = of_key.person_id
      ) as cells
    from unnest(${keys}::uuid[]) with ordinality drawn (key, place)
    join held of_key on of_key.enrolment_id = drawn.key
    left join users on users.id = of_key.person_id
    order by drawn.place`.execute(db);
  return rows;
}

export async function openSample(ctx: Anyone, token: string, no: number) {
  const link = await readLink(ctx, token);
  const { keys, ...sample } = await readSample(ctx, link, no);
  await recordOpening(ctx, link, { what: "sample", sampleNo: no });
  const people = await readPeople(ctx, link, keys);
  return { sample, people: people.map(({ personId: _, ...person }) => person) };
}

/** What a person of a sample has completed in the courses of the pack, the newest first; 404 for anybody else. */
export async function openPerson(ctx: Anyone, token: string, no: number, key: string): Promise<AuditedRecord> {
  const link = await readLink(ctx, token);
  const { keys } = await readSample(ctx, link, no);
  const [found] = keys.includes(key) ? await readPeople(ctx, link, [key]) : [];
  if (!found) throw notFound();
  const { personId, ...person } = found;
  await refuseOutdated(ctx.db, link.row);
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
  await recordOpening(ctx, link, { what: "download" });
  return asFile(ctx, link.row);
}

import Bowser from "bowser";
import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { conflict, notFound, Problem } from "#server/core/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { type AttemptFacts, type Course, partStates } from "#server/player/fold.ts";
import { grant } from "#server/player/grants.ts";
import { readParts } from "#server/player/live.ts";
import { preload } from "#server/player/values.ts";
import { HEARTBEAT_MS } from "#shared/playerTiming.ts";
import type { Launch, launchInput } from "#shared/player.ts";
import type { User } from "#shared/users.ts";
import type { z } from "zod";

type Input = z.output<typeof launchInput>;
type Where = { companyId: string; courseId: string };

/** A window that was heard of within this time has the course; a longer silence is a closed laptop, and nobody is asked. */
const FRESH_MS = HEARTBEAT_MS * 2 + 5000;

/**
 * Opens a session on a course (research/learning 3.5). Learners need an enrolment in their own company; admins get a
 * preview that no report counts. The last attempt goes on where it stopped, on the version it began with.
 */
export async function launchCourse(ctx: Ctx<User>, where: Where, input: Input, userAgent: string): Promise<Launch> {
  const { db, user, config } = ctx;
  if (user.role === "learner" && user.companyId !== where.companyId) throw notFound();
  const company = await db
    .selectFrom("companies")
    .where("id", "=", where.companyId)
    .select([
      "id",
      "name",
      "color",
      "status",
      sql<string | null>`case when logo is null then null else '/api/companies/' || id || '/logo?v=' || version end`.as(
        "logo",
      ),
    ])
    .executeTakeFirstOrThrow(notFound);
  const token = newToken();
  const opened = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`launch ${user.id} ${where.courseId}`}, 0))`.execute(tx);
    const place =
      user.role === "admin" ? await previewPlace(tx, where.courseId) : await learnerPlace(tx, user, where.courseId);
    if (company.status !== "active" && !place.preview) throw conflict("player.companyClosed");
    const attempt = await openAttempt(tx, user, where, place, input.fresh);
    const session = await openSession(tx, user, where, attempt.id, input, {
      tokenHash: hashToken(token),
      userAgent,
      preview: place.preview,
    });
    return { place, attempt, session };
  });
  const { place, attempt, session } = opened;
  const version = await db
    .selectFrom("courseVersions")
    .where("id", "=", attempt.versionId)
    .select(["kind", sql<Course["parts"]>`parts`.as("parts")])
    .executeTakeFirstOrThrow();
  const course: Course = { kind: version.kind as Course["kind"], parts: version.parts, rule: place.rule };
  const [states, answers] = await Promise.all([readParts(db, attempt.id), readAnswers(ctx, attempt.id)]);
  const stateOf = (sco: string) => states.get(sco);
  const facts: AttemptFacts = attempt;
  const open = partStates(course, stateOf);
  const current =
    open.find(({ sco }) => sco === facts.currentPart) ?? open.find(({ state }) => state !== "done") ?? open[0];
  const { kind } = course;
  return {
    sessionId: session.id,
    token,
    startedAt: session.startedAt,
    preview: place.preview,
    attemptId: attempt.id,
    attemptNo: attempt.no,
    shell: `${config.contentOrigin}/play/${grant(config.secret, { versionId: attempt.versionId, attemptId: attempt.id })}/`,
    course: {
      id: where.courseId,
      title: place.title,
      code: place.code,
      kind,
      confirm: place.rule.kind === "confirmed",
    },
    company: { id: company.id, name: company.name, color: company.color, logo: company.logo },
    learner: { id: user.id, name: user.name },
    parts: course.parts,
    current: current?.sco ?? "",
    values:
      kind === "html"
        ? {}
        : Object.fromEntries(
            course.parts
              .filter((part) => part.isSco)
              .map((part) => [part.sco, preload(kind, part, stateOf(part.sco), answers.get(part.sco) ?? {}, user)]),
          ),
    attempt: {
      completion: facts.completion,
      success: facts.success,
      progress: facts.progress,
      scorePercent: facts.scorePercent,
      parts: open,
    },
  };
}

type Place = {
  preview: boolean;
  enrolmentId: string | null;
  title: string;
  code: string;
  rule: Course["rule"];
  liveVersionId: string;
};
const courseColumns = [
  "courses.title",
  "courses.code",
  "courses.status",
  "courses.liveVersionId",
  sql<Course["rule"]>`courses.completion_rule`.as("rule"),
] as const;

async function previewPlace(tx: Tx, courseId: string): Promise<Place> {
  const course = await tx
    .selectFrom("courses")
    .where("id", "=", courseId)
    .select(courseColumns)
    .executeTakeFirstOrThrow(notFound);
  if (!course.liveVersionId) throw conflict("courses.noVersion");
  return { ...course, liveVersionId: course.liveVersionId, preview: true, enrolmentId: null };
}

/** An unknown course and one that is not assigned answer alike: the list of courses of others is not guessable. */
async function learnerPlace(tx: Tx, user: User, courseId: string): Promise<Place> {
  const found = await tx
    .selectFrom("enrolments")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .where("enrolments.userId", "=", user.id)
    .where("enrolments.courseId", "=", courseId)
    .where("enrolments.companyId", "=", user.companyId)
    .orderBy("cycle", "desc")
    .select([...courseColumns, "enrolments.id as enrolmentId", "enrolments.status as enrolmentStatus"])
    .executeTakeFirst();
  if (!found) throw new Problem(404, "player.notAssigned");
  if (found.enrolmentStatus === "withdrawn") throw conflict("player.withdrawn");
  if (found.status === "archived") throw conflict("player.courseArchived");
  if (found.status === "draft" || !found.liveVersionId) throw conflict("player.courseDraft");
  return { ...found, liveVersionId: found.liveVersionId, preview: false };
}

async function openAttempt(tx: Tx, user: User, { companyId, courseId }: Where, place: Place, fresh: boolean) {
  const columns = [
    "id",
    "no",
    "versionId",
    "completion",
    "success",
    "progress",
    "scorePercent",
    "currentPart",
    "reportedSeconds",
  ] as const;
  const mine = tx.selectFrom("attempts").where("userId", "=", user.id).where("courseId", "=", courseId);
  const last = await (
    place.enrolmentId
      ? mine.where("enrolmentId", "=", place.enrolmentId)
      : mine.where("preview", "=", true).where("companyId", "=", companyId).where("versionId", "=", place.liveVersionId)
  )
    .orderBy("no", "desc")
    .select(columns)
    .forUpdate()
    .executeTakeFirst();
  if (last && !fresh) return last;
  const no = (last?.no ?? 0) + 1;
  const { enrolmentId, preview, liveVersionId: versionId } = place;
  return tx
    .insertInto("attempts")
    .values({ enrolmentId, preview, versionId, userId: user.id, companyId, courseId, no })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

type Opening = { tokenHash: string; userAgent: string; preview: boolean };

/** One live session a person and course: the one before is ended, after its window was asked for, also with another attempt. */
async function openSession(
  tx: Tx,
  user: User,
  { companyId, courseId }: Where,
  attemptId: string,
  input: Input,
  { tokenHash, userAgent, preview }: Opening,
) {
  const live = await tx
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .where("attempts.userId", "=", user.id)
    .where("attempts.courseId", "=", courseId)
    .where("attempts.preview", "=", preview)
    .where("endedAt", "is", null)
    .orderBy("sessions.startedAt", "desc")
    .select([
      "sessions.id",
      "sessions.attemptId",
      "clientId",
      "sessions.startedAt",
      "lastSeenAt",
      sql<{ browser?: string; os?: string }>`device`.as("device"),
    ])
    .executeTakeFirst();
  if (live) {
    const heard = Date.now() - Date.parse(live.lastSeenAt) < FRESH_MS;
    if (heard && live.clientId !== input.clientId && !input.takeOver) {
      throw conflict("player.openElsewhere", {
        sessionId: live.id,
        startedAt: live.startedAt,
        device: describe(live.device),
      });
    }
    await tx
      .updateTable("sessions")
      .set({ endedAt: sql`now()`, endReason: input.orphan ? "tab_closed" : heard ? "superseded" : "timeout" })
      .where("id", "=", live.id)
      .execute();
  }
  await tx
    .updateTable("attempts")
    .set((e) => ({ rev: e("rev", "+", 1) }))
    .where("id", "in", [attemptId, ...(live ? [live.attemptId] : [])])
    .execute();
  const { browser, os } = Bowser.parse(userAgent || "unknown");
  const device = { browser: browser.name ?? "", os: os.name ?? "", viewport: input.viewport };
  // The clock, not the transaction: a session that begins while another is being ended must count as the newer one.
  return tx
    .insertInto("sessions")
    .values({
      attemptId,
      userId: user.id,
      companyId,
      tokenHash,
      clientId: input.clientId,
      device: JSON.stringify(device),
      startedAt: sql`clock_timestamp()`,
    })
    .returning(["id", "startedAt"])
    .executeTakeFirstOrThrow();
}

/** `Chrome on Windows`, as a person would say it. */
export const describe = ({ browser, os }: { browser?: string; os?: string }) =>
  [browser, os].filter(Boolean).join(" on ") || "an unknown device";

/** Answers as data model values, so that a package finds its counts and (2004) its earlier interactions. */
async function readAnswers({ db }: Ctx<User>, attemptId: string) {
  const rows = await db
    .selectFrom("answers")
    .where("attemptId", "=", attemptId)
    .orderBy("n")
    .select(["sco", "n", sql<Record<string, string>>`fields`.as("fields")])
    .execute();
  const bySco = new Map<string, Record<string, string>>();
  for (const { sco, n, fields } of rows) {
    const values = bySco.get(sco) ?? {};
    for (const [field, value] of Object.entries(fields)) values[`cmi.interactions.${n}.${field}`] = value;
    bySco.set(sco, values);
  }
  return bySco;
}

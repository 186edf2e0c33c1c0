import { sql } from "kysely";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import { listPartStates } from "#server/player/completionRule.ts";
import { hasRunTime, initialDataModel } from "#server/player/dataModel.ts";
import { createGrant } from "#server/player/grants.ts";
import { type CourseInCompany, findEnrolment, findPreview, type LaunchTarget } from "#server/player/launchTarget.ts";
import { type LaunchInput, openSession } from "#server/player/newSession.ts";
import { readContents } from "#server/lessons/contents.ts";
import { answersIn } from "#server/player/lessonFold.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import { ANSWERS_PER_ATTEMPT, type Course, type PartState } from "#server/player/trackingState.ts";
import { openRecording } from "#server/recordings/service.ts";
import { readLaunchVariables } from "#server/variables/content/launchVariables.ts";
import { asksFor, hideVariables } from "#shared/courses/completion.ts";
import type { ActivityTree } from "#shared/packages/activityTree.ts";
import { isWrittenHere } from "#shared/courses/completionRules.ts";
import type { Launch } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";

/** Findings at import that say that rules for the order of parts are not followed. */
const IGNORED_RULES = new Set(
  ["prerequisites", "prerequisitesIgnored", "sequencing", "sequencingCut", "sequencingTooLarge"].map(
    (name) => `packages.${name}`,
  ),
);

/**
 * Opens a session on a course. Learners need an enrolment in their own company; admins get a preview that no report
 * counts. The latest attempt is resumed on the version that it was started with.
 */
export async function launchCourse(
  ctx: Ctx<User>,
  ref: CourseInCompany,
  input: LaunchInput,
  userAgent: string,
): Promise<Launch> {
  const { db, user, config } = ctx;
  if (user.companyId !== null && user.companyId !== ref.companyId) throw notFound();
  const company = await db
    .selectFrom("companies")
    .where("id", "=", ref.companyId)
    .select([
      "id",
      "name",
      "color",
      "status",
      sql<string | null>`case
        when logo is null then null
        else '/api/companies/' || id || '/logo?v=' || version
      end`.as("logo"),
    ])
    .executeTakeFirstOrThrow(notFound);
  const token = newToken();
  const { target, attempt, session, previous, isRecorded } = await repeatOnDeadlock(() =>
    inTransaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`launch ${user.id} ${ref.courseId}`}, 0))`.execute(tx);
      const target =
        user.role === "admin" ? await findPreview(tx, ref.courseId) : await findEnrolment(tx, user, ref.courseId);
      if (company.status !== "active" && !target.preview) throw conflict("player.companyClosed");
      const attempt = await openAttempt(tx, user, ref, target, input.newAttempt);
      const session = await openSession(tx, user, ref, input, {
        attemptId: attempt.id,
        tokenHash: hashToken(token),
        userAgent,
        preview: target.preview,
      });
      const previous = await tx
        .selectFrom("sessions")
        .where("attemptId", "=", attempt.id)
        .where("id", "<>", session.id)
        .orderBy("startedAt", "desc")
        .select((e) => ["id as sessionId", "lastSeq", e("clientId", "=", input.clientId).as("isSameWindow")])
        .executeTakeFirst();
      const isRecorded = await openRecording(tx, session.id);
      return { target, attempt, session, previous, isRecorded };
    }),
  );
  const version = await db
    .selectFrom("courseVersions")
    .where("id", "=", attempt.versionId)
    .select([
      "kind",
      "parts",
      "warnings",
      sql<ActivityTree | null>`case when is_sequenced then manifest -> 'sequencing' end`.as("tree"),
    ])
    .executeTakeFirstOrThrow();
  const course: Course = { parts: version.parts, rule: target.rule };
  const states = await readPartStates(db, attempt.id);
  const answers = await readAnswers(ctx, attempt.id, states);
  const parts = listPartStates(course, (sco) => states.get(sco));
  const open = parts.filter(({ waitsFor }) => !waitsFor);
  const current =
    open.find(({ sco }) => sco === attempt.currentPart) ?? open.find(({ state }) => state !== "done") ?? open[0];
  const grant = createGrant(config.secret, { versionId: attempt.versionId, attemptId: attempt.id });
  const dataModels = course.parts
    .filter(hasRunTime)
    .map((part) => [
      part.sco,
      initialDataModel(part.kind, part, states.get(part.sco), answers.get(part.sco) ?? {}, user),
    ]);
  return {
    sessionId: session.id,
    token,
    startedAt: session.startedAt,
    preview: target.preview,
    attemptId: attempt.id,
    attemptNo: attempt.no,
    shell: `${config.contentOrigin}/play/${grant}/`,
    course: {
      id: ref.courseId,
      title: target.title,
      code: target.code,
      kind: version.kind,
      confirm: asksFor(target.rule, "confirmed"),
      rule: hideVariables(target.rule),
    },
    company: { id: company.id, name: company.name, color: company.color, logo: company.logo },
    learner: { id: user.id, name: user.name },
    // Receipts say which parts are closed.
    parts: course.parts.map(({ prerequisites: _, ...part }) => part),
    current: current?.sco ?? "",
    previous: previous ? { ...previous, isSameWindow: Boolean(previous.isSameWindow) } : null,
    values: Object.fromEntries(dataModels),
    variables: await readLaunchVariables(db, {
      userId: user.id,
      ...ref,
      attemptId: attempt.id,
      versionId: attempt.versionId,
    }),
    attempt: {
      completion: attempt.completion,
      success: attempt.success,
      progress: attempt.progress,
      scorePercent: attempt.scorePercent,
      parts,
    },
    ignoresRules: version.warnings.some(({ code }) => IGNORED_RULES.has(code)),
    sequencing: version.tree && { tree: version.tree, stored: attempt.sequencing },
    lessons: isWrittenHere(version.kind)
      ? {
          media: `${config.contentOrigin}/media/${grant}/`,
          answers: await readLessonAnswers(ctx, course, target.enrolmentId, attempt.versionId, states),
        }
      : null,
    recording: isRecorded ? { hidden: [user.name, user.email].filter((text) => text !== null) } : null,
  };
}

/** What was answered in lessons, as far as the learner may know it. */
async function readLessonAnswers(
  { db }: Ctx<User>,
  course: Course,
  enrolmentId: string | null,
  versionId: string,
  states: Map<string, PartState>,
) {
  const { lessons } = await readContents(db, versionId);
  const extra = await readAllowances(db, enrolmentId);
  return Object.fromEntries(answersIn({ ...course, lessons, extra }, states.values()));
}

/** Resumes the latest attempt of the cycle, or starts a new one if there is none or `newAttempt` is set. */
async function openAttempt(
  tx: Tx,
  user: User,
  { companyId, courseId }: CourseInCompany,
  target: LaunchTarget,
  newAttempt: boolean,
) {
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
    "sequencing",
  ] as const;
  const attempts = tx.selectFrom("attempts").where("userId", "=", user.id).where("courseId", "=", courseId);
  const last = await (
    target.enrolmentId
      ? attempts.where("enrolmentId", "=", target.enrolmentId)
      : attempts
          .where("preview", "=", true)
          .where("companyId", "=", companyId)
          .where("versionId", "=", target.liveVersionId)
  )
    .orderBy("no", "desc")
    .select(columns)
    .limit(1)
    // A stronger lock would conflict with inserts of rows that refer to the attempt, for example by folding, which
    // stores rows of several attempts in one transaction.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (last && !newAttempt && last.no >= target.firstAttempt) return last;
  const no = (last?.no ?? 0) + 1;
  const { enrolmentId, preview, liveVersionId: versionId } = target;
  return tx
    .insertInto("attempts")
    .values({ enrolmentId, preview, versionId, userId: user.id, companyId, courseId, no })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/**
 * The answers of the current learner attempts as data model values by part, so that a package finds its interaction
 * count and (2004) earlier interactions.
 */
async function readAnswers({ db }: Ctx<User>, attemptId: string, states: Map<string, PartState>) {
  const rows = await db
    .selectFrom("answers")
    .where("attemptId", "=", attemptId)
    .orderBy("n")
    .select(["sco", "n", "fields"])
    .execute();
  const bySco = new Map<string, Record<string, string>>();
  for (const { sco, n: stored, fields } of rows) {
    const n = stored - (states.get(sco)?.learnerAttempt ?? 0) * ANSWERS_PER_ATTEMPT;
    if (n < 0) continue;
    const values = bySco.get(sco) ?? {};
    for (const [field, value] of Object.entries(fields)) values[`cmi.interactions.${n}.${field}`] = value;
    bySco.set(sco, values);
  }
  return bySco;
}

import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import {
  type AttemptRow,
  decisiveAttempt,
  type EnrolmentRow,
  findEnrolment,
  isActiveSince,
  selectAttempts,
} from "#server/completions/enrolmentRow.ts";
import { explainEnrolment } from "#server/completions/explaining.ts";
import { readPlaces, readSaving } from "#server/completions/places.ts";
import type { Db } from "#server/core/database/db.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import { isOfCycle } from "#server/courses/setByAdmin.ts";
import { isLedBy } from "#server/managers/scope.ts";
import {
  type Completion,
  type ConditionState,
  type Decision,
  type OwnCompletion,
  type TeamCompletion,
  UNDO_HOURS,
} from "#shared/completions/completions.ts";
import { asksFor } from "#shared/courses/completion.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import type { User } from "#shared/core/users.ts";

/** Decisions of an enrolment that are listed. */
const MAX_DECISIONS = 20;
const nowhere = () => null;

/** An enrolment in the scope of the user; 404 for any other. */
export const findInScope = (db: Db, user: User, id: string) =>
  findEnrolment(db, sql<boolean>`enrolments.id = ${id} and ${inScope(user, ENROLMENT_SCOPE)}`);

/** Why a learner has completed a course or not, as admins see it. */
export async function getCompletion(ctx: Ctx<User>, id: string): Promise<Completion> {
  const row = await findInScope(ctx.db, ctx.user, id);
  await recordView(ctx, "reports.open", row.userId, { companyId: row.companyId });
  return readCompletion(ctx, id);
}

export async function readCompletion({ db, user, log }: Ctx<User>, id: string): Promise<Completion> {
  const row = await findInScope(db, user, id);
  const { rule, courseId } = row;
  const attempts = await selectAttempts(db, id).execute();
  const attempt = decisiveAttempt(attempts);
  const found = await explainEnrolment(db, row, attempt, "admin");
  const placeOf = attempt ? await readPlaces(db, rule, { id: attempt.id, courseId }) : nowhere;
  const state = found.state?.(placeOf) ?? null;
  const decisions = await listDecisions(db, row, attempts, state?.isMet === true);
  const ruleSince = await readRuleSince(db, courseId);
  const isOpen = row.status !== "completed" && row.status !== "withdrawn";
  const isLost = isOpen && state?.isMet === true && attempt !== null && hasBeenCounted(rule, attempt, ruleSince);
  const supportCode = isLost ? `${attempt.id.slice(0, 8).toUpperCase()}-${attempt.rev}` : null;
  if (supportCode && isNew(supportCode))
    log.error({ attempt: attempt?.id, supportCode }, "all conditions are met, and it is not complete");
  const { enrolmentId, userId, companyId, course, name, status, overdue, hasLeft, completedAt, isSetByAdmin } = row;
  return {
    enrolmentId,
    userId,
    companyId,
    courseId,
    course,
    name,
    status,
    overdue,
    hasLeft,
    completedAt,
    isSetByAdmin,
    kind: found.kind,
    attemptNo: attempts[0]?.no ?? 0,
    version: found.version,
    state,
    ruleSince,
    completedBy: row.status === "completed" && attempt ? await readCompletedBy(db, attempt.id) : null,
    saving: attempt ? await readSaving(db, attempt.id) : null,
    supportCode,
    isAllShown: found.isAllShown,
    decisions,
  };
}

const MAX_CODES = 1000;
/** The support codes that are in the log: one for each revision of an attempt. */
const logged = new Set<string>();
function isNew(supportCode: string) {
  if (logged.has(supportCode)) return false;
  if (logged.size >= MAX_CODES) logged.clear();
  logged.add(supportCode);
  return true;
}

/**
 * Whether the last step in an attempt has counted all that is known now. Values of variables that other courses and
 * chatbots set, and another rule, count from the next step on (docs/decisions/0066-completion-rules.md).
 */
function hasBeenCounted(rule: CompletionRule, { lastActivityAt }: AttemptRow, ruleSince: string | null) {
  if (asksFor(rule, "variable") || lastActivityAt === null) return false;
  return ruleSince === null || Date.parse(ruleSince) <= Date.parse(lastActivityAt);
}

async function readRuleSince(db: Db, courseId: string) {
  const rule = await db
    .selectFrom("completionRuleHistory")
    .where("courseId", "=", courseId)
    .orderBy("id", "desc")
    .limit(1)
    .select("happenedAt")
    .executeTakeFirst();
  return rule?.happenedAt ?? null;
}

async function readCompletedBy(db: Db, attemptId: string) {
  const completion = await db
    .selectFrom("completionHistory")
    .innerJoin("attempts", "attempts.id", "completionHistory.attemptId")
    .where("attempts.id", "=", attemptId)
    .whereRef("completionHistory.completionNo", "=", "attempts.completionNo")
    .select("ruleText")
    .executeTakeFirst();
  return completion?.ruleText ?? null;
}

/** The latest first. */
async function listDecisions(
  db: Db,
  enrolment: EnrolmentRow,
  attempts: AttemptRow[],
  isMet: boolean,
): Promise<Decision[]> {
  const name = (table: string) => sql<string | null>`nullif(${nameOf(table)}, '')`;
  const rows = await db
    .selectFrom("completionDecisions as decision")
    .leftJoin("users as author", "author.id", "decision.madeBy")
    .leftJoin("users as undoer", "undoer.id", "decision.undoneBy")
    .where("decision.enrolmentId", "=", enrolment.enrolmentId)
    .orderBy("decision.madeAt", "desc")
    .orderBy("decision.id")
    .limit(MAX_DECISIONS)
    .select(["decision.id", "decision.kind", "decision.reason", "decision.madeAt as at", "decision.undoneAt"])
    .select("decision.attemptId")
    .select([name("author").as("by"), name("undoer").as("undoneBy")])
    .select(isFresh.as("isFresh"))
    .select(sql<boolean>`decision.ended_at is null and ${isOfCycle()}`.as("stands"))
    .execute();
  const last = rows.find(({ undoneAt }) => undoneAt === null);
  const canUndo =
    last !== undefined && last.isFresh && last.stands && !(await isPassed(db, enrolment, attempts, isMet, last));
  return rows.map(({ isFresh: _, stands: _stands, attemptId: _attempt, ...row }) => ({
    ...row,
    canUndo: canUndo && row.id === last?.id,
  }));
}

/** What has happened since a decision that stands, and would refuse its undo. */
async function isPassed(
  db: Db,
  { enrolmentId, status, hasLeft }: EnrolmentRow,
  attempts: AttemptRow[],
  isMet: boolean,
  { kind, attemptId, at }: { kind: string; attemptId: string | null; at: string },
) {
  if (hasLeft || status === "withdrawn") return true;
  if (kind !== "set")
    return status === "completed" || (kind === "restarted" && (await hasBegun(db, enrolmentId, attemptId)));
  const isOther = attempts.some(({ id, completedAt }) => completedAt !== null && id !== attemptId);
  return isOther || (isMet && attempts.some((attempt) => isActiveSince(attempt, at)));
}

/** Whether a learner has opened an attempt, or a later one. */
export async function hasBegun(db: Db, enrolmentId: string, attemptId: string | null) {
  const session = await db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .where("attempts.enrolmentId", "=", enrolmentId)
    .where("attempts.no", ">=", (e) => e.selectFrom("attempts").where("id", "=", attemptId).select("no"))
    .select("sessions.id")
    .executeTakeFirst();
  return session !== undefined;
}

/** SQL: a decision that is not too old to be undone. */
export const isFresh = sql<boolean>`decision.made_at > now() - make_interval(hours => ${UNDO_HOURS})`;

/** What the signed-in learner has still to do in a course. */
export async function getOwnCompletion({ db, user }: Ctx<User>, courseId: string): Promise<OwnCompletion> {
  const row = await findEnrolment(
    db,
    sql<boolean>`enrolments.course_id = ${courseId}
      and enrolments.user_id = ${user.id}
      and enrolments.company_id = ${user.companyId}
      and enrolments.status <> 'withdrawn'
      and courses.status <> 'draft'`,
  );
  const attempts = await selectAttempts(db, row.enrolmentId).execute();
  const found = await explainEnrolment(db, row, decisiveAttempt(attempts), "learner");
  const standing = await db
    .selectFrom("completionDecisions as decision")
    .where("enrolmentId", "=", row.enrolmentId)
    .where("undoneAt", "is", null)
    .where("endedAt", "is", null)
    .where(isOfCycle())
    .orderBy("madeAt", "desc")
    .limit(1)
    .select(["kind", "reason", "madeAt as at"])
    .executeTakeFirst();
  const told = standing && { at: standing.at, reason: standing.reason };
  return {
    courseId: row.courseId,
    companyId: row.companyId,
    course: row.course,
    kind: found.kind,
    status: row.status,
    attemptNo: attempts[0]?.no ?? 0,
    version: found.version,
    state: found.state?.(nowhere) ?? null,
    completedAt: row.completedAt,
    isArchived: row.courseStatus === "archived",
    setByAdmin: (row.isSetByAdmin && standing?.kind === "set" && told) || null,
    reopened: (row.status !== "completed" && standing?.kind !== "set" && told) || null,
  };
}

/** Which conditions one of a manager's people meets; 404 for anybody else. */
export async function getTeamCompletion(ctx: Ctx<User>, id: string): Promise<TeamCompletion> {
  const { db, user } = ctx;
  const row = await findEnrolment(
    db,
    sql<boolean>`enrolments.id = ${id}
      and enrolments.company_id = ${user.companyId}
      and enrolments.status <> 'withdrawn'
      and courses.status <> 'draft'
      and ${isLedBy(user, "enrolments.userId")}`,
  );
  await recordView(ctx, "team.open", row.userId, { companyId: row.companyId });
  const { state: explain, kind } = await explainEnrolment(
    db,
    row,
    decisiveAttempt(await selectAttempts(db, id).execute()),
    "manager",
  );
  const state = explain?.(nowhere);
  const show = ({ test, isMet, label }: ConditionState) => ({ test, isMet, label });
  return {
    course: row.course,
    name: row.name,
    kind,
    status: row.status,
    completedOn: row.completedOn,
    isSetByAdmin: row.isSetByAdmin,
    match: state?.match ?? "all",
    isMet: state?.isMet ?? false,
    tests: (state?.tests ?? []).map((test) =>
      "tests" in test ? { ...test, tests: test.tests.map(show) } : show(test),
    ),
  };
}

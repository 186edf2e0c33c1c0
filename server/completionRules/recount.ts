import { sql } from "kysely";
import type { RuleChangeRecord } from "#server/completionRules/ruleChangeRecord.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { isCompletedElsewhere, isSetByAdmin, isStartedOver, takenBackAt } from "#server/courses/setByAdmin.ts";
import { type AttemptOfVersion, type Replay, replayAttempt } from "#server/player/replay.ts";
import type { ruleChangeRow, TestOutcome } from "#shared/completionRules/ruleChanges.ts";
import { type CompletionFacts, isTestMet, testsOf } from "#shared/courses/completion.ts";
import type { CompletionTest } from "#shared/courses/completionRules.ts";
import type { z } from "zod";

/** Learners whose events are applied again in one turn. */
const LEARNERS_PER_TURN = 50;
/** A turn ends early after as many stored events. */
const EVENTS_PER_TURN = 20_000;

type AttemptAt = { id: string; rev: number };
/**
 * A learner of the course by a rule: `change` if it would complete the enrolment or take its completion back; `attempt`
 * decides that, at the revision that was counted. `tests` is null for a learner without events.
 */
export type Recount = {
  enrolmentId: string;
  wasComplete: boolean;
  completedAt: string | null;
  change: z.infer<typeof ruleChangeRow.shape.change> | null;
  attempt: AttemptAt | null;
  /** All attempts as they were counted, and those that are complete. */
  counted: AttemptAt[];
  complete: (AttemptAt & { at: string })[];
  metAt: string | null;
  tests: TestOutcome[] | null;
  events: number;
  isWhole: boolean;
};

type EnrolmentRow = {
  id: string;
  status: string;
  completedAt: string | null;
  events: number;
  /** An admin has set it complete, which no rule takes back. */
  isSet: boolean;
  attempts: (AttemptOfVersion & {
    rev: number;
    completedAt: string | null;
    /** An admin has started the course over since: nothing in the attempt counts any more. */
    isOver: boolean;
    /** When an admin took its completion back: what was done until then completes nothing. */
    takenBackAt: string | null;
  })[];
};

/** The next learners of a change after its cursor; without withdrawn and erased ones. */
export async function recountNext({ db, log }: Pick<Services, "db" | "log">, change: RuleChangeRecord) {
  const done: Recount[] = [];
  let events = 0;
  for (const enrolment of await readEnrolments(db, change)) {
    const recount = await tolerate(change, log, uncounted(enrolment), () => recountEnrolment(db, change, enrolment));
    done.push(recount);
    events += recount.events;
    if (events >= EVENTS_PER_TURN) break;
  }
  return done;
}

/** Failed turns of a change in a row after which a learner who makes them fail is left as they are. */
const MAX_FAILURES = 3;

/**
 * What `work` returns for a learner; `instead` if it fails and turns have failed before, so that one learner does not
 * hold up all others.
 */
export async function tolerate<T>(
  { id, failures }: RuleChangeRecord,
  log: Services["log"],
  instead: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (failures < MAX_FAILURES) throw error;
    log.error({ err: error, change: id }, "a learner is left as they are by a change of a completion rule");
    return instead;
  }
}

/** A learner who stays as they are. */
const uncounted = ({ id, status, completedAt }: EnrolmentRow): Recount => ({
  enrolmentId: id,
  wasComplete: status === "completed",
  completedAt,
  change: null,
  attempt: null,
  counted: [],
  complete: [],
  metAt: null,
  tests: null,
  events: 0,
  isWhole: false,
});

/** One learner once more, as after a change of the attempt in between; null without an enrolment that counts. */
export async function recountAgain(db: Db, change: RuleChangeRecord, enrolmentId: string) {
  const [enrolment] = await readEnrolments(db, change, enrolmentId);
  return enrolment ? recountEnrolment(db, change, enrolment) : null;
}

async function readEnrolments(db: Db, { courseId, cursor }: RuleChangeRecord, id?: string): Promise<EnrolmentRow[]> {
  const { rows } = await sql<EnrolmentRow>`
    select
      enrolments.id,
      enrolments.status,
      enrolments.completed_at,
      (${isSetByAdmin(sql.ref("enrolments.id"))} or ${isCompletedElsewhere}) as is_set,
      coalesce(
        (
          select json_agg(
            json_build_object(
              'id', attempts.id,
              'rev', attempts.rev,
              'enrolmentId', attempts.enrolment_id,
              'userId', attempts.user_id,
              'companyId', attempts.company_id,
              'courseId', attempts.course_id,
              'versionId', attempts.version_id,
              'activeSeconds', attempts.active_seconds,
              'completedAt', attempts.completed_at,
              'isOver', ${isStartedOver},
              'takenBackAt', ${takenBackAt}
            )
            order by attempts.no
          )
          from attempts
          where attempts.enrolment_id = enrolments.id
            and attempts.no >= enrolments.first_attempt
            and not attempts.preview
        ),
        '[]'
      ) as attempts
    from enrolments
    where enrolments.course_id = ${courseId}
      and enrolments.status <> 'withdrawn'
      and enrolments.user_id is not null
      and ${id ? sql`enrolments.id = ${id}` : sql`(${cursor}::uuid is null or enrolments.id > ${cursor}::uuid)`}
    order by enrolments.id
    limit ${LEARNERS_PER_TURN}`.execute(db);
  return rows;
}

async function recountEnrolment(
  db: Db,
  { rule }: RuleChangeRecord,
  { id, status, completedAt, isSet, attempts }: EnrolmentRow,
): Promise<Recount> {
  const wasComplete = status === "completed";
  const counted = attempts.map(({ id, rev }) => ({ id, rev }));
  const complete = attempts.flatMap(({ id, rev, completedAt: at }) => (at === null ? [] : { id, rev, at }));
  const unchanged = {
    enrolmentId: id,
    wasComplete,
    completedAt,
    change: null,
    attempt: null,
    counted,
    complete,
    metAt: null,
  };
  if (attempts.length === 0) return { ...unchanged, tests: null, events: 0, isWhole: !wasComplete };
  const replays: ({ attempt: (typeof attempts)[number] } & Replay)[] = [];
  for (const attempt of attempts) {
    const replay = await replayAttempt(db, attempt, rule, attempt.takenBackAt);
    replays.push({ attempt, ...replay, metAt: attempt.isOver ? null : replay.metAt });
  }
  const events = replays.reduce((sum, replay) => sum + replay.events, 0);
  const isWhole = replays.every((replay) => replay.isWhole);
  const first = replays
    .filter(({ metAt }) => metAt !== null)
    .toSorted((a, b) => Date.parse(a.metAt as string) - Date.parse(b.metAt as string))[0];
  const completed = replays.find(({ attempt }) => attempt.completedAt !== null);
  const shown = first ?? completed ?? replays.at(-1);
  const tests = testsOf(rule).map((test) => outcomeOf(test, (shown as (typeof replays)[number]).facts));
  if (!isWhole || (isSet && wasComplete) || wasComplete === (first !== undefined))
    return { ...unchanged, tests, events, isWhole };
  const decisive = (wasComplete ? completed : first)?.attempt;
  if (!decisive) return { ...unchanged, tests, events, isWhole: false };
  return {
    ...unchanged,
    change: wasComplete ? "ends" : "becomes",
    attempt: { id: decisive.id, rev: decisive.rev },
    metAt: first?.metAt ?? null,
    tests,
    events,
    isWhole,
  };
}

const outcomeOf = (test: CompletionTest, facts: CompletionFacts): TestOutcome => ({
  isMet: isTestMet(test, facts),
  value: valueOf(test, facts),
});

/** Values of variables are not shown to everybody who may change rules. */
function valueOf(test: CompletionTest, facts: CompletionFacts): TestOutcome["value"] {
  if (test.kind === "score") return facts.scorePercent;
  if (test.kind === "partScore") return facts.part(test.sco)?.scorePercent ?? null;
  if (test.kind === "time") return facts.activeSeconds;
  return null;
}

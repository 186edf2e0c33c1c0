import { sql } from "kysely";
import { createBreather } from "#server/core/breather.ts";
import type { Db } from "#server/core/database/db.ts";
import { readContents } from "#server/lessons/contents.ts";
import { readFacts } from "#server/player/completionRule.ts";
import { fold, type FoldInput } from "#server/player/fold.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import type { RuleValues } from "#server/player/ruleValues.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import { type AttemptFacts, type Course, type PartState } from "#server/player/trackingState.ts";
import { readCourseVariables } from "#server/variables/content/courseVariables.ts";
import { readValueHistory, type ValueHistory } from "#server/variables/valuesAt.ts";
import { SERVER_SEQ } from "#shared/player/playerTiming.ts";
import { type CompletionFacts, variablesOfRule } from "#shared/courses/completion.ts";
import { type CompletionRule, isWrittenHere } from "#shared/courses/completionRules.ts";
import type { SessionEvent } from "#shared/player/player.ts";
import type { DeclaredVariable } from "#shared/player/sessionVariables.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// Applies all stored events of an attempt once more, by any completion rule

/** The state of an attempt before its first event. */
export const NEW_ATTEMPT: AttemptFacts = {
  completion: "incomplete",
  success: "unknown",
  progress: null,
  scorePercent: null,
  currentPart: null,
  reportedSeconds: 0,
  confirmed: false,
};

export type StoredBatch = { sessionId: string; startedAt: string; receivedAt: string; events: SessionEvent[] };
/** Batches that are in memory at a time. */
const BATCHES_PER_READ = 50;

/** The events of an attempt with the start of their session, in the order in which they were stored. */
export async function* readBatches(db: Db, attemptId: string): AsyncGenerator<StoredBatch> {
  const places = await db
    .selectFrom("sessionEvents")
    .innerJoin("sessions", "sessions.id", "sessionEvents.sessionId")
    .where("sessions.attemptId", "=", attemptId)
    .orderBy("receivedAt")
    .orderBy("sessions.startedAt")
    .orderBy("firstSeq")
    .select(["sessions.id as sessionId", "sessions.startedAt", "receivedAt", "firstSeq"])
    .execute();
  for (let at = 0; at < places.length; at += BATCHES_PER_READ) {
    const next = places.slice(at, at + BATCHES_PER_READ);
    const { rows } = await sql<{ events: SessionEvent[] }>`
      select events
      from unnest(
        ${next.map(({ sessionId }) => sessionId)}::uuid[],
        ${next.map(({ firstSeq }) => firstSeq)}::int[]
      ) with ordinality as place (session_id, first_seq, n)
      join session_events using (session_id, first_seq)
      order by n`.execute(db);
    for (const [n, { sessionId, startedAt, receivedAt }] of next.entries())
      yield { sessionId, startedAt, receivedAt, events: rows[n]?.events ?? [] };
  }
}

/** Stored events contain what the server decided about quizzes. Attempts without time left end after the last event. */
export const STORED_QUIZZES = { now: 0, isStored: true, draw: () => [] };

/** Conditions of lessons see the variables as they were at the last event; with the mode `first`, events keep them. */
export const constantsOf = (states: Iterable<PartState>): DeclaredVariable[] => {
  const values = Object.assign({}, ...[...states].map(({ lesson }) => lesson?.values ?? {}));
  return Object.entries(values as Record<string, VariableValue>).map(([key, value]) => ({
    key,
    value,
    type: "json",
    constraints: {},
    writeMode: "first",
    access: "both",
    status: "active",
  }));
};

export type AttemptOfVersion = {
  id: string;
  enrolmentId: string | null;
  userId: string | null;
  companyId: string;
  courseId: string;
  versionId: string;
  activeSeconds: number;
};
/**
 * `metAt`: when the attempt has met the rule, null if it never has; `facts`: what its tests compare at the end;
 * `events`: how many of the browser were applied; `isWhole`: all events are there that its sessions have acknowledged.
 */
export type Replay = { metAt: string | null; facts: CompletionFacts; events: number; isWhole: boolean };

/** `lastT`: the time of the last stored event, in ms since the start. */
type StoredSession = {
  id: string;
  startedAt: string;
  lastSeenAt: string;
  activeMs: number;
  lastSeq: number;
  lastT: number | null;
};

/** With `since`, only what was stored after this time can meet the rule. */
export async function replayAttempt(
  db: Db,
  attempt: AttemptOfVersion,
  rule: CompletionRule,
  since: string | null = null,
): Promise<Replay> {
  const breathe = createBreather();
  const course = await readCourse(db, attempt, rule);
  const sessions = await readSessions(db, attempt.id);
  const valuesAt = await createValuesAt(db, attempt, rule);
  const activeAt = createActiveTime(sessions);
  const isLate = createLateness();

  let input: FoldInput = {
    attempt: NEW_ATTEMPT,
    parts: new Map(),
    reported: {},
    variables: constantsOf((await readPartStates(db, attempt.id)).values()),
    quizzes: STORED_QUIZZES,
  };
  const reportedOf = new Map<string, Record<string, number>>();
  let metAt: string | null = null;
  let events = 0;
  let hasLater = since === null;
  for await (const batch of readBatches(db, attempt.id)) {
    await breathe();
    const before = {
      ...input,
      startedAt: batch.startedAt,
      reported: reportedOf.get(batch.sessionId) ?? {},
      activeSeconds: activeAt(batch),
      ruleValues: valuesAt(endOf(batch)),
    };
    const addOnly = isLate(batch);
    const result = fold(course, before, batch.events, addOnly);
    const isEarlier = since !== null && Date.parse(batch.receivedAt) <= Date.parse(since);
    const isMet = !isEarlier && result.attempt.completion === "complete";
    if (metAt === null && isMet) metAt = findTime(course, before, batch, addOnly);
    hasLater ||= !isEarlier;
    events += batch.events.filter(({ seq }) => seq <= SERVER_SEQ).length;
    reportedOf.set(batch.sessionId, result.reported);
    input = {
      ...input,
      attempt: isEarlier ? { ...result.attempt, completion: "incomplete" } : result.attempt,
      parts: new Map([...(input.parts ?? []), ...result.changed]),
      variables: course.lessons ? result.variables : input.variables,
    };
  }
  const now = new Date();
  const known = { activeSeconds: attempt.activeSeconds, ruleValues: valuesAt(Number.POSITIVE_INFINITY) };
  const quizzes = { ...STORED_QUIZZES, now: now.getTime() };
  const last = fold(course, { ...input, ...known, quizzes }, [], false);
  if (metAt === null && hasLater && last.attempt.completion === "complete")
    metAt = lastSeen(sessions) ?? now.toISOString();
  const parts = new Map([...input.parts, ...last.changed]);
  return {
    metAt,
    facts: readFacts(course, last.attempt, parts, { ...known, variables: last.variables }),
    events,
    isWhole: events === sessions.reduce((sum, { lastSeq }) => sum + lastSeq, 0),
  };
}

async function readCourse(db: Db, { versionId, enrolmentId }: AttemptOfVersion, rule: CompletionRule): Promise<Course> {
  const { parts, kind, isSequenced } = await db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .select(["parts", "kind", "isSequenced"])
    .executeTakeFirstOrThrow();
  if (!isWrittenHere(kind)) return { parts, rule, isSequenced };
  const { lessons } = await readContents(db, versionId);
  return { parts, rule, lessons, extra: await readAllowances(db, enrolmentId) };
}

const readSessions = (db: Db, attemptId: string): Promise<StoredSession[]> =>
  db
    .selectFrom("sessions")
    .where("attemptId", "=", attemptId)
    .orderBy("startedAt")
    .select(["id", "startedAt", "lastSeenAt", "activeMs", "lastSeq"])
    .select(
      sql<number | null>`(
        select (events -> -1 ->> 't')::float8
        from session_events
        where session_id = sessions.id
        order by received_at desc, first_seq desc
        limit 1
      )`.as("lastT"),
    )
    .execute();

const lastSeen = (sessions: StoredSession[]) =>
  sessions
    .map(({ lastSeenAt }) => lastSeenAt)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);

/**
 * The active seconds of an attempt after each of its batches, called in their order. Stored is only that of whole
 * sessions: within one it is taken to pass in proportion to the time of the events.
 */
function createActiveTime(sessions: StoredSession[]) {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const reached = new Map<string, number>();
  return ({ sessionId, events }: StoredBatch) => {
    const { activeMs = 0, lastT } = byId.get(sessionId) ?? {};
    const t = events.at(-1)?.t ?? 0;
    const active = activeMs * (lastT ? Math.min(1, t / lastT) : 1);
    reached.set(sessionId, Math.max(reached.get(sessionId) ?? 0, active));
    return Math.floor([...reached.values()].reduce((sum, ms) => sum + ms, 0) / 1000);
  };
}

/** Whether a newer session has written before a batch, called in their order: such a batch only adds (fold.ts). */
function createLateness() {
  let newest = 0;
  return ({ startedAt }: StoredBatch) => {
    const start = Date.parse(startedAt);
    const isLate = start < newest;
    newest = Math.max(newest, start);
    return isLate;
  };
}

/** When the values of a batch were set, in ms since the epoch: the clock of a browser may be ahead of the server's. */
const endOf = ({ startedAt, receivedAt, events }: StoredBatch) =>
  Math.max(Date.parse(receivedAt), Date.parse(startedAt) + (events.at(-1)?.t ?? 0));

/** When the first event of a batch happened after which the rule is met, on the clock of the server. */
function findTime(course: Course, before: FoldInput, { startedAt, receivedAt, events }: StoredBatch, addOnly: boolean) {
  let input = before;
  for (const event of events) {
    const { attempt, reported, changed, variables } = fold(course, input, [event], addOnly);
    if (attempt.completion === "complete") {
      const at = Math.min(Date.parse(startedAt) + event.t, Date.parse(receivedAt));
      return new Date(at).toISOString();
    }
    input = { ...input, attempt, reported, variables, parts: new Map([...input.parts, ...changed]) };
  }
  return receivedAt;
}

async function createValuesAt(db: Db, attempt: AttemptOfVersion, rule: CompletionRule) {
  const keys = variablesOfRule(rule);
  const declared = keys.length > 0 ? await readCourseVariables(db, attempt.courseId) : new Map<string, never>();
  const asked = keys.flatMap((key) => declared.get(key) ?? []);
  const ids = asked.map(({ id }) => id);
  const history: ValueHistory = await readValueHistory(db, { ...attempt, attemptId: attempt.id }, ids);
  return (at: number): RuleValues =>
    new Map(
      asked.map(({ key, id, writeMode, defaultValue }) => [
        key,
        { id, writeMode, defaultValue, folded: history(id, at) },
      ]),
    );
}

import { hashOf, idOf, unitOf } from "./values.ts";
export type Plan = {
  seed: number;
  companies: number;
  learners: number;
  courses: number;
  chatbots: number;
  /** Questions to chatbots and their answers. */
  messages: number;
  /** Everything happened before this time, in ms since the epoch. */
  until: number;
  /** The hash of the password that all learners have. */
  passwordHash: string;
};

/** Kinds of rows, for their ids and values. */
const KIND = {
  company: 1,
  user: 2,
  course: 3,
  version: 4,
  enrolment: 5,
  attempt: 6,
  session: 7,
  variable: 8,
  connector: 9,
  prompt: 10,
  promptVersion: 11,
  document: 12,
  documentVersion: 13,
  chatbot: 14,
  chatbotVersion: 15,
  conversation: 16,
  turn: 17,
  call: 18,
  cluster: 19,
};
/** Enrolments of every learner. */
export const PER_LEARNER = 8;
/** Parts of every course. */
export const PARTS = 6;
export const EVENTS_PER_COMMIT = 10;
export const DAY_MS = 86_400_000;
export const iso = (ms: number) => new Date(ms).toISOString();
export const range = function* (count: number) {
  for (let n = 0; n < count; n++) yield n;
};

/** The first name whose limit is above a roll from 0 to 1. */
export const shareOf = <Name extends string>(roll: number, limits: Record<Name, number>) =>
  (Object.keys(limits) as Name[]).find((name) => roll < limits[name]) as Name;

/**
 * What happened in an academy of this size, by the numbers of rows. Enrolment `n` belongs to learner `n / PER_LEARNER`.
 */
export function createFacts(plan: Plan) {
  const { seed, until } = plan;
  const id = (kind: keyof typeof KIND, n: number) => idOf(seed, KIND[kind], n);
  const unit = (...keys: number[]) => unitOf(seed, ...keys);
  /** A few companies are large and most are small. */
  const companyOf = (user: number) => Math.floor(plan.companies * unit(31, user) ** 2);
  const userOf = (n: number) => {
    const roll = unit(32, n);
    const createdAt = until - (5 + 700 * unit(33, n)) * DAY_MS;
    const status = shareOf(roll, { invited: 0.06, suspended: 0.08, active: 1 });
    const lastActive = status === "invited" ? null : createdAt + (until - createdAt) * unit(34, n);
    return { company: companyOf(n), createdAt, status, lastActive };
  };

  /** Enrolment `n` belongs to learner `n / PER_LEARNER`; its courses follow each other, so that none occurs twice. */
  const enrolmentOf = (n: number) => {
    const user = Math.floor(n / PER_LEARNER);
    const { createdAt, status: userStatus, company } = userOf(user);
    const course = (Math.floor(unit(41, user) * plan.courses) + (n % PER_LEARNER)) % plan.courses;
    const assignedAt = createdAt + (until - createdAt) * 0.8 * unit(42, n);
    const roll = unit(43, n);
    const isStarted = userStatus !== "invited" && roll > 0.25;
    const ended = shareOf(roll, { assigned: 0.25, in_progress: 0.42, completed: 0.93, failed: 0.97, withdrawn: 1 });
    const status = isStarted ? ended : "assigned";
    const startedAt = isStarted ? assignedAt + (until - assignedAt) * 0.5 * unit(44, n) : null;
    const sessions = isStarted ? 1 + Math.floor(4 * unit(45, n) ** 1.4) : 0;
    const lastAt = startedAt === null ? null : startedAt + (until - startedAt) * 0.6 * unit(46, n);
    const due = unit(47, n) < 0.5 ? iso(assignedAt + (30 + 300 * unit(48, n)) * DAY_MS).slice(0, 10) : null;
    const done = status === "completed" ? PARTS : Math.floor(unit(49, n) * PARTS);
    const score = status === "completed" || status === "failed" ? Math.round(40 + 60 * unit(50, n)) : null;
    const seconds = sessions * (300 + Math.floor(900 * unit(51, n)));
    return { n, user, company, course, status, assignedAt, startedAt, lastAt, sessions, due, done, score, seconds };
  };
  type Enrolment = ReturnType<typeof enrolmentOf>;
  const enrolments = function* () {
    for (const n of range(plan.learners * PER_LEARNER)) yield enrolmentOf(n);
  };
  const started = function* () {
    for (const enrolment of enrolments()) if (enrolment.startedAt !== null) yield enrolment;
  };
  const successOf = ({ status }: Enrolment) =>
    (({ completed: "passed", failed: "failed" }) as Record<string, string>)[status] ?? "unknown";
  /** The sessions of an enrolment, evenly between its start and its last activity. */
  const sessionsOf = function* ({ n, startedAt, lastAt, sessions, seconds }: Enrolment) {
    for (const index of range(sessions)) {
      const at = (startedAt as number) + (((lastAt as number) - (startedAt as number)) * (index + 1)) / sessions;
      const events = 10 + Math.floor(50 * unit(52, n, index));
      yield { number: n * 8 + index, at, endedAt: at + (seconds * 1000) / sessions, events };
    }
  };
  const commitOf = (session: number, first: number, count: number) => {
    const events = [];
    for (let seq = first; seq < first + count; seq++) {
      const slide = hashOf(seed, session, seq) % 40;
      events.push(
        seq % 3 === 0
          ? {
              seq,
              t: seq * 9000,
              type: "scorm.set",
              sco: `i${1 + (slide % PARTS)}`,
              key: "cmi.core.session_time",
              value: `0000:${10 + slide}:00`,
            }
          : {
              seq,
              t: seq * 9000,
              type: "scorm.set",
              sco: `i${1 + (slide % PARTS)}`,
              key: "cmi.core.lesson_location",
              value: `slide-${slide}`,
            },
      );
    }
    return events;
  };
  return { id, unit, userOf, enrolmentOf, enrolments, started, successOf, sessionsOf, commitOf };
}

import { z } from "zod";
import { enrolment } from "#shared/courses.ts";
import { learner } from "#shared/learners.ts";
import { sessionEvent } from "#shared/player.ts";
import { defineContracts, get, listQuery, page } from "#shared/route.ts";
import { isAdmin, isSignedIn } from "#shared/users.ts";

// Reports, read from the rows that commits have written

export const sessionRow = z.object({
  id: z.uuid(),
  enrolmentId: z.uuid(),
  course: z.string(),
  attemptNo: z.int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  endReason: z.string().nullable(),
  device: z.string(),
  activeSeconds: z.int(),
  events: z.int(),
  failedCommits: z.int(),
});
export const attemptRow = z.object({
  id: z.uuid(),
  enrolmentId: z.uuid(),
  no: z.int(),
  version: z.int(),
  completion: z.enum(["incomplete", "complete"]),
  success: z.enum(["unknown", "passed", "failed"]),
  scorePercent: z.number().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  activeSeconds: z.int(),
  reportedSeconds: z.int(),
});
export const answerRow = z.object({
  attemptId: z.uuid(),
  sessionId: z.uuid().nullable(),
  part: z.string(),
  key: z.string(),
  type: z.string(),
  question: z.string(),
  response: z.string(),
  correct: z.string(),
  result: z.string(),
  seconds: z.number().nullable(),
  /** Time of the answer in ms since the start of its session, so that a report can link to it. */
  t: z.int().nullable(),
  answeredAt: z.string(),
});

export const learnerReport = z.object({
  learner,
  summary: z.object({
    completed: z.int(),
    assigned: z.int(),
    overdue: z.int(),
    nextDue: z.string().nullable(),
    meanScore: z.number().nullable(),
    companyMeanScore: z.number().nullable(),
    activeSeconds: z.int(),
    reportedSeconds: z.int(),
    sessions: z.int(),
    activeDays: z.int(),
  }),
  /** Active seconds by calendar day in the company's time zone, last 26 weeks, without inactive days. */
  days: z.array(z.object({ day: z.string(), seconds: z.int() })),
  enrolments: z.array(enrolment),
  attempts: z.array(attemptRow),
  sessions: z.array(sessionRow),
});
export type LearnerReport = z.infer<typeof learnerReport>;

export const attention = z.object({
  kind: z.enum([
    "overdue",
    "packageWarning",
    "saveTrouble",
    "stuck",
    "codeExpiring",
    "invitationsExpired",
    "mailFailing",
    "claimsUnverified",
    "backupMissing",
    "neverCompletes",
  ]),
  title: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  link: z.string(),
});
export const dashboard = z.object({
  summary: z.object({
    activeLearners: z.int(),
    learners: z.int(),
    completed: z.int(),
    completedBefore: z.int(),
    onTimePercent: z.number().nullable(),
    overdue: z.int(),
    overdueCompanies: z.int(),
    activeSeconds: z.int(),
  }),
  attention: z.array(attention),
  weeks: z.array(z.object({ week: z.string(), started: z.int(), completed: z.int() })),
  feed: z.array(
    z.object({
      kind: z.enum(["completed", "joined", "failed"]),
      who: z.string(),
      userId: z.uuid(),
      what: z.string(),
      at: z.string(),
    }),
  ),
});
export type Dashboard = z.infer<typeof dashboard>;

export const canReadReports = isSignedIn;

export const reports = defineContracts("reports", {
  learner: get("/api/reports/learners/:id", {
    keyScope: "reports:read",
    does: "Get the report of a learner; learners get only their own",
    reply: learnerReport,
  }),
  answers: get("/api/reports/enrolments/:id/answers", {
    does: "List the answers of an enrolment, those of the latest attempt first",
    query: listQuery.pick({ page: true, size: true }),
    reply: page(answerRow),
  }),
  session: get("/api/reports/sessions/:id", {
    does: "Get a session with its events",
    reply: z.object({
      session: sessionRow,
      learner: z.string(),
      userId: z.uuid(),
      events: z.array(sessionEvent),
      parts: z.record(z.string(), z.string()),
    }),
  }),
  dashboard: get("/api/dashboard", {
    does: "Get the key figures and open issues of the dashboard",
    query: z.object({ days: z.coerce.number().int().min(7).max(92).default(30) }),
    reply: dashboard,
  }),
});
export const canSeeDashboard = isAdmin;

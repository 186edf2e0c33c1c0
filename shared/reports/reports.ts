import { z } from "zod";
import { measuredKind } from "#shared/core/measuredKinds.ts";
import {
  activeRow,
  completedRow,
  dashboard,
  dashboardList,
  dashboardQuery,
  dueRow,
} from "#shared/reports/dashboard.ts";
import { learner } from "#shared/learners/learners.ts";
import { sessionEvent } from "#shared/player/player.ts";
import { questions } from "#shared/courses/questions.ts";
import { reportFigures, reportKind } from "#shared/reports/reportFigures.ts";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";
import { enrolment } from "#shared/courses/enrolments.ts";
import { checkedFigure, issuedReport } from "#shared/reports/issuedReports.ts";
import {
  changeQuery,
  isReportPeriod,
  reportFields,
  reportFilters,
  reportQuery,
  rowFields,
  rowQuery,
} from "#shared/reports/reportQueries.ts";
import {
  questionFigures,
  questionPeopleQuery,
  questionPerson,
  questionQuery,
  scenarioFigures,
  scenarioQuery,
} from "#shared/reports/questionFigures.ts";
import { blockPeopleQuery, blockPerson, lessonFigures, lessonFiguresQuery } from "#shared/reports/blockFigures.ts";
import { changedRow, changeFigures, personRow, reportRow } from "#shared/reports/reportRows.ts";

// Reports on companies, courses and learners

export const sessionRow = z.object({
  id: z.uuid(),
  enrolmentId: z.uuid(),
  course: z.string(),
  attemptNo: z.int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  endReason: z.string().nullable(),
  device: z.string(),
  activeSeconds: z.int().nullable(),
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
  setByAdmin: z.boolean(),
  activeSeconds: z.int().nullable(),
  reportedSeconds: z.int().nullable(),
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
    /** For learners null while fewer than ten people of the company have a score. */
    companyMeanScore: z.number().nullable(),
    activeSeconds: z.int().nullable(),
    reportedSeconds: z.int().nullable(),
    sessions: z.int().nullable(),
    activeDays: z.int().nullable(),
  }),
  /**
   * Active seconds per calendar day in the time zone of the report, for the 26 weeks before its day, without inactive
   * days.
   */
  days: z.array(z.object({ day: z.string(), seconds: z.int() })),
  enrolments: z.array(enrolment),
  attempts: z.array(attemptRow),
  sessions: z.array(sessionRow),
});
export type LearnerReport = z.infer<typeof learnerReport>;

/** A report on a company, a course or a learner: its subject, filters and figures. */
export const report = z.object({
  kind: reportKind,
  title: z.string(),
  filters: reportFilters,
  /** Counts everything that was recorded before this time. */
  asOf: z.string(),
  /** True if it is counted as of now, not as of an earlier day. */
  isLive: z.boolean(),
  /** Since when changes are recorded; there is no data of earlier days. */
  recordedSince: z.string().nullable(),
  figures: reportFigures,
  /** Titles of the parts by position, and names of the courses or companies of `figures.split`. */
  parts: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  /** What the company shows to nobody but the person; of several companies, what any of them does. */
  hidden: z.array(measuredKind),
});
export type Report = z.infer<typeof report>;

/** Learners see only their own data. */
export const canReadReports = isSignedIn;

export const reports = defineContracts("reports", {
  learner: get("/api/reports/learners/:id", {
    keyScope: "reports:read",
    does:
      "Get courses, attempts, sessions and active days of a learner, of the last two only those before the end of " +
      "the day `asOf`; learners get only their own",
    query: z.object({ asOf: reportFields.asOf, zone: reportFields.zone }),
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
      questions,
    }),
  }),
  figures: get("/api/reports/figures/:id", {
    priority: "heavy",
    does:
      "Get the figures of a company, a course or a learner by its id, today or as of an earlier day; learners only " +
      "their own",
    query: reportQuery,
    reply: report,
  }),
  rows: get("/api/reports/rows/:id", {
    does: "List the assignments that a figure of a report counts; learners only their own",
    query: rowQuery,
    reply: page(reportRow),
  }),
  changes: get("/api/reports/changes/:id", {
    priority: "heavy",
    does:
      "List the assignments that differ between an earlier day and the day of the report, with the totals of both; " +
      "learners only their own",
    query: changeQuery,
    reply: page(changedRow).extend(changeFigures),
  }),
  people: get("/api/reports/people/:id", {
    does: "List the learners of a report with their courses",
    query: listQuery
      .omit({ sort: true })
      .extend(reportFields)
      .refine(...isReportPeriod),
    reply: page(personRow),
  }),
  questions: get("/api/reports/questions/:id", {
    priority: "heavy",
    does: "List the questions of a course with the number of right and wrong answers, the hardest first",
    query: questionQuery,
    reply: page(questionFigures),
  }),
  questionPeople: get("/api/reports/question-people/:id", {
    priority: "heavy",
    does: "List the people who answered a question of a course right or wrong, the latest answer first",
    query: questionPeopleQuery,
    reply: page(questionPerson),
  }),
  lessonBlocks: get("/api/reports/lesson-blocks/:id", {
    priority: "heavy",
    does: "Get how many learners came to each block of a lesson, how long they took, and where they stopped",
    query: lessonFiguresQuery,
    reply: lessonFigures,
  }),
  blockPeople: get("/api/reports/block-people/:id", {
    priority: "heavy",
    does: "List the people who came to a block of a lesson or stopped there, the latest first",
    query: blockPeopleQuery,
    reply: page(blockPerson),
  }),
  scenario: get("/api/reports/scenarios/:id", {
    priority: "heavy",
    does: "Get how many learners came by the steps and choices of a scenario in the live version of a course",
    query: scenarioQuery,
    reply: scenarioFigures,
  }),
  export: get("/api/reports/export/:id", {
    does:
      "Export the assignments that a figure of a report counts as CSV or XLSX, learners only their own; the header " +
      "x-rows is their number",
    query: z
      .object({ ...rowFields, q: listQuery.shape.q, format: z.enum(["csv", "xlsx"]).default("csv") })
      .refine(...isReportPeriod),
    reply: z.string(),
  }),
  issue: post("/api/reports/issue/:id", {
    priority: "heavy",
    does: "Issue a report: number, filters and figures are stored, without names; learners only their own",
    body: z.object(reportFields).refine(...isReportPeriod),
    reply: issuedReport,
  }),
  issued: get("/api/issued-reports", {
    does: "List the reports that were issued, newest first",
    query: listQuery.pick({ page: true, size: true, q: true }),
    reply: page(issuedReport),
  }),
  check: get("/api/issued-reports/check/:id", {
    does: "Count an issued report anew as of its time, and compare every figure",
    reply: z.object({
      report: issuedReport,
      /** True if the stored figures still have the digest that was printed. */
      isDigestRight: z.boolean(),
      figures: z.array(checkedFigure),
      different: z.int(),
      checkedAt: z.string(),
    }),
  }),
  pdf: get("/api/issued-reports/pdf/:id", {
    priority: "heavy",
    does:
      "Get an issued report as a tagged PDF with its definitions and who was counted; learners only those on " +
      "themselves",
    reply: z.string(),
  }),
  dashboard: get("/api/dashboard", {
    does: "Get the key figures and open issues of the dashboard",
    query: dashboardQuery,
    reply: dashboard,
  }),
  fellDue: get("/api/dashboard/due", {
    does:
      "List the assignments whose due date ended in the last days, the latest first, " +
      "with whether they were on time",
    query: dashboardList.extend({ result: z.enum(["onTime", "late"]).optional() }),
    reply: page(dueRow),
  }),
  completed: get("/api/dashboard/completed", {
    does: "List the assignments that were completed in the last days, the latest first",
    query: dashboardList,
    reply: page(completedRow),
  }),
  active: get("/api/dashboard/active", {
    does: "List the learners with sessions that began in the last days, those with most active time first",
    query: dashboardList,
    reply: page(activeRow),
  }),
});
export const canSeeDashboard = isAdmin;
export const canReadMany = isAdmin;

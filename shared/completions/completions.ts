import { z } from "zod";
import { testOf } from "#shared/conditions/conditions.ts";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn, leadsPeople } from "#shared/core/users.ts";
import { completionTests, courseKind } from "#shared/courses/completionRules.ts";
import { enrolmentStatus } from "#shared/courses/enrolments.ts";

// Why a learner has completed a course or not, and what admins decide about it by hand

/** How long a decision can be undone. */
export const UNDO_HOURS = 24;
export const MIN_REASON = 3;
export const MAX_REASON = 300;
/** Decisions and parts that are listed. */
const MAX_DECISIONS = 20;
const MAX_PARTS = 1000;

const place = z.object({ sessionId: z.uuid(), t: z.int() });
/** `attemptsLeft` of a quiz: null for any number; undefined for other parts. */
const missingPart = z.object({
  sco: z.string(),
  title: z.string(),
  attemptsLeft: z.int().nullable().optional(),
});
export type MissingPart = z.infer<typeof missingPart>;
/** What a condition asks; `hidden`: a value of a variable that its reader may not know. */
const shownTest = z.union([testOf(...completionTests), z.object({ kind: z.literal("hidden") })]);
/**
 * A condition of the rule (`explainRule` in shared/courses/completionState.ts). `replay`: where its value was last set,
 * for admins. `label`: the name of a variable.
 */
export const conditionState = z.object({
  test: shownTest,
  isMet: z.boolean(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  limit: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  missing: z.array(missingPart).max(MAX_PARTS),
  label: z.string().nullable(),
  /** The part that a test names, as a learner may open it. */
  part: missingPart.nullable(),
  replay: place.nullable(),
});
export type ConditionState = z.infer<typeof conditionState>;
const match = z.enum(["all", "any"]);
const groupState = z.object({ match, isMet: z.boolean(), tests: z.array(conditionState) });
export const ruleState = z.object({
  match,
  isMet: z.boolean(),
  tests: z.array(z.union([conditionState, groupState])),
});
export type RuleState = z.infer<typeof ruleState>;
/** All conditions, those of sets too. */
export const conditionsOf = ({ tests }: RuleState): ConditionState[] =>
  tests.flatMap((test) => ("tests" in test ? test.tests : [test]));

export const decisionKind = z.enum(["set", "reopened", "restarted"]);
export const decision = z.object({
  id: z.uuid(),
  kind: decisionKind,
  reason: z.string(),
  /** Null once the account is gone. */
  by: z.string().nullable(),
  at: z.string(),
  undoneAt: z.string().nullable(),
  undoneBy: z.string().nullable(),
  /** It is the last one, it stands, it is not older than a day, and the learner has not passed beyond it. */
  canUndo: z.boolean(),
});
export type Decision = z.infer<typeof decision>;

const facts = {
  courseId: z.uuid(),
  companyId: z.uuid(),
  course: z.string(),
  kind: courseKind,
  status: enrolmentStatus,
  /** The latest attempt, or 0 if the course was never opened; its version, or the one that it would be on. */
  attemptNo: z.int(),
  version: z.int().nullable(),
  state: ruleState.nullable(),
  completedAt: z.string().nullable(),
};

export const completion = z.object({
  ...facts,
  enrolmentId: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  overdue: z.boolean(),
  /** The learner is in another company now: nothing is decided any more. */
  hasLeft: z.boolean(),
  /** When the rule was chosen, as far as it is known. */
  ruleSince: z.string().nullable(),
  /** By what the course was completed, in words; null if it is not complete or not known. */
  completedBy: z.string().nullable(),
  /** It stands because an admin set it. */
  isSetByAdmin: z.boolean(),
  /** Steps that the browser has numbered and the server acknowledged, and how many of them are stored. */
  saving: z.object({ sent: z.int(), stored: z.int() }).nullable(),
  /** All conditions are met, but the course is not complete: for support, as it is in the log of the server. */
  supportCode: z.string().nullable(),
  /** The learner sees all conditions with their names and values. */
  isAllShown: z.boolean(),
  decisions: z.array(decision).max(MAX_DECISIONS),
});
export type Completion = z.infer<typeof completion>;

/** `setByAdmin`, `reopened`: when and why an admin decided that, as long as it stands. */
const told = z.object({ at: z.string(), reason: z.string() }).nullable();
export const ownCompletion = z.object({ ...facts, isArchived: z.boolean(), setByAdmin: told, reopened: told });
export type OwnCompletion = z.infer<typeof ownCompletion>;

/** Managers see which conditions are met, no values, and nothing of variables. */
export const teamCompletion = z.object({
  course: z.string(),
  name: z.string(),
  kind: courseKind,
  status: enrolmentStatus,
  completedOn: z.string().nullable(),
  isSetByAdmin: z.boolean(),
  match,
  isMet: z.boolean(),
  tests: z.array(
    z.union([
      conditionState.pick({ test: true, isMet: true, label: true }),
      z.object({
        match,
        isMet: z.boolean(),
        tests: z.array(conditionState.pick({ test: true, isMet: true, label: true })),
      }),
    ]),
  ),
});
export type TeamCompletion = z.infer<typeof teamCompletion>;

// Control characters would break the lists that show a reason.
const reason = z
  .string()
  .overwrite((text) => text.replace(/[\s\p{Cc}]+/gu, " "))
  .trim()
  .min(MIN_REASON)
  .max(MAX_REASON);
/** `attemptNo` and `status`: what the admin has seen. */
const decisionInput = z.object({ reason, attemptNo: z.int().min(0), status: enrolmentStatus });
export type DecisionInput = z.infer<typeof decisionInput>;

// Who may do what

export const canReadCompletions = isAdmin;
export const canDecideCompletions = isAdmin;
export const canReadOwnCompletion = isSignedIn;
export const canReadTeamCompletions = leadsPeople;

// Endpoints

export const completions = defineContracts("completions", {
  get: get("/api/enrolments/:id/completion", {
    does: "Get each condition of the completion rule of an enrolment with its limit and the value now, and decisions",
    reply: completion,
  }),
  mine: get("/api/my-courses/:id/completion", {
    does: "Get what the signed-in learner has still to do to complete a course",
    reply: ownCompletion,
  }),
  ofTeam: get("/api/team/enrolments/:id/completion", {
    does: "Get which conditions of a course one of one's people meets, without values",
    reply: teamCompletion,
  }),
  set: post("/api/enrolments/:id/completion/set", {
    does: "Set a course complete by hand, with certificate and all that follows; 409 if it was changed meanwhile",
    body: decisionInput,
    reply: completion,
  }),
  reopen: post("/api/enrolments/:id/completion/reopen", {
    does: "Take a completion back; the attempt continues. 409 while all conditions are met",
    body: decisionInput,
    reply: completion,
  }),
  restart: post("/api/enrolments/:id/completion/restart", {
    does: "Start a course over: a new attempt on the live version, and completions are taken back",
    body: decisionInput,
    reply: completion,
  }),
  undo: post("/api/completion-decisions/:id/undo", {
    does: "Undo the last decision about a completion within 24 hours",
    reply: completion,
  }),
});

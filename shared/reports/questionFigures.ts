import { z } from "zod";
import { listQuery } from "#shared/core/route.ts";

// What learners answered to the questions of a course: figures of each question, and the people behind them

/** Longest response in a reply, in characters. */
export const MAX_SHOWN_RESPONSE = 500;

/** By which answer a person is counted: the first one in all attempts, or the last one. */
export const answerGroups = ["right", "wrong", "stillWrong"] as const;
export const answerGroup = z.enum(answerGroups);
export type AnswerGroup = z.infer<typeof answerGroup>;

export const questionFigures = z.object({
  /** The SCO and the identifier in it, by which a question is the same in all versions. */
  sco: z.string(),
  key: z.string(),
  part: z.string(),
  question: z.string(),
  /** Assignments with an answer; with a right or wrong first answer; with a wrong last answer. */
  answered: z.int(),
  right: z.int(),
  wrong: z.int(),
  stillWrong: z.int(),
  /** The wrong first answer that was given most often, if it may be shown. */
  frequentWrong: z.object({ response: z.string(), n: z.int() }).nullable(),
  /** The answer that most often counted as right, if there is one and it may be shown. */
  rightAnswer: z.string().nullable(),
});
export type QuestionFigures = z.infer<typeof questionFigures>;

export const questionPerson = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  person: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  response: z.string(),
  sessionId: z.uuid().nullable(),
  /** Time of the answer in ms since the start of its session. */
  t: z.int().nullable(),
  answeredAt: z.string(),
});
export type QuestionPerson = z.infer<typeof questionPerson>;

export const questionQuery = listQuery.pick({ page: true, size: true }).extend({
  companyId: z.uuid().optional(),
  groupId: z.uuid().optional(),
});
export const questionPeopleQuery = questionQuery.extend({
  sco: z.string().max(4096).default(""),
  key: z.string().max(4096).default(""),
  group: answerGroup.default("wrong"),
});

/** Learners who have taken a scenario, and came by its steps and choices, by id; in all versions of the course. */
export const scenarioFigures = z.object({
  learners: z.int(),
  steps: z.record(z.string(), z.int()),
  choices: z.record(z.string(), z.int()),
});
export type ScenarioFigures = z.infer<typeof scenarioFigures>;

/** A scenario by its lesson and block. */
export const scenarioQuery = z.object({
  lesson: z.string().max(64).default(""),
  block: z.string().max(64).default(""),
});

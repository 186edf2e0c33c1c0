import { z } from "zod";
import { defineContracts, del, get, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Test questions of a chatbot: asked of the draft or the live version on demand, without a conversation

export const botQuestionInput = z.object({
  question: z.string().trim().min(1).max(2000),
  /** Documents that the answer must quote. */
  documentIds: z.array(z.uuid()).max(20).default([]),
  /** Texts that the answer must contain, ignoring case. */
  facts: z.array(z.string().trim().min(1).max(200)).max(10).default([]),
  expectsRefusal: z.boolean().default(false),
});

/** Which settings answered: the draft, or the live version, as of the run. */
export const testedSettings = z.enum(["draft", "live"]);
export const botQuestionResult = z.object({
  of: testedSettings,
  passed: z.boolean(),
  /** Whether the run before passed; null: this was the first one. */
  passedBefore: z.boolean().nullable(),
  answer: z.string(),
  /** Titles of documents that were not quoted, and missing facts. */
  missing: z.array(z.string()),
  testedAt: z.string(),
});
export const botQuestion = botQuestionInput.extend({ id: z.uuid(), results: z.array(botQuestionResult) });
export type BotQuestion = z.infer<typeof botQuestion>;
export type BotQuestionResult = z.infer<typeof botQuestionResult>;

/** Maximum number of test questions of one chatbot. */
export const MAX_BOT_QUESTIONS = 200;
export const canTestChatbots = isAdmin;
const byQuestion = z.object({ id: z.uuid(), questionId: z.uuid() });

export const botQuestions = defineContracts("botQuestions", {
  list: get("/api/chatbots/:id/questions", {
    does: "List the test questions of a chatbot with their latest results",
    reply: z.object({ items: z.array(botQuestion) }),
  }),
  add: post("/api/chatbots/:id/questions", {
    does: "Add a test question to a chatbot",
    body: botQuestionInput,
    reply: botQuestion,
  }),
  remove: del("/api/chatbots/:id/questions/:questionId", {
    does: "Delete a test question of a chatbot",
    params: byQuestion,
  }),
  run: post("/api/chatbots/:id/questions/:questionId/run", {
    does: "Ask the draft or the live version a test question and keep the result",
    params: byQuestion,
    body: z.object({ of: testedSettings.default("draft") }),
    reply: botQuestion,
  }),
});

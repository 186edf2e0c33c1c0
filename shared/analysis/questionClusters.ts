import { z } from "zod";
import { versionState } from "#shared/documents/documentVersions.ts";
import { defineContracts, get, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Groups of questions that chatbots did not answer: the same question in mostly the same words. Nobody is named. An
// answer becomes part of a document, and a test question of that document; if the question then fails again, its group
// is reopened.

/** `assigned`: open, with an owner. */
export const clusterStatus = z.enum(["open", "assigned", "answered", "dismissed"]);
export type ClusterStatus = z.infer<typeof clusterStatus>;

export const questionCluster = z.object({
  id: z.uuid(),
  /**
   * The first wording, at most 500 characters; empty if everybody who asked has deleted it and no test question
   * contains it.
   */
  question: z.string(),
  /** Number of times it was asked, and of people who asked. */
  times: z.int(),
  people: z.int(),
  lastAskedAt: z.string().nullable(),
  chatbotId: z.uuid(),
  chatbot: z.string(),
  status: clusterStatus,
  owner: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** When it was asked without an answer again, after the group had been answered. */
  reopenedAt: z.string().nullable(),
});
export type QuestionCluster = z.infer<typeof questionCluster>;

/** Occurrences that the details list, the latest first. */
export const LISTED_QUESTIONS = 50;
export const questionClusterDetail = questionCluster.extend({
  asked: z.array(z.object({ turnId: z.uuid(), conversationId: z.uuid(), text: z.string(), at: z.string() })),
  /** The documents from which the chatbot may answer. `isText`: a section can be added to it. */
  documents: z.array(z.object({ id: z.uuid(), title: z.string(), isText: z.boolean() })),
  answer: z
    .object({
      documentId: z.uuid(),
      title: z.string(),
      /** The version with the answer, and its state. */
      version: z.int().nullable(),
      state: versionState.nullable(),
      /** Whether the chatbot answers from the document. */
      isUsed: z.boolean(),
      /**
       * Rank at which the test question finds the answer in the version tested last; null if it does not find it,
       * undefined before the first test.
       */
      testRank: z.int().nullable().optional(),
      at: z.string(),
      by: z.string().nullable(),
    })
    .nullable(),
});
export type QuestionClusterDetail = z.infer<typeof questionClusterDetail>;

const id = z.uuid();
const text = z.string().trim().min(1).max(20_000);
export const clusterAnswer = z.object({
  /** The question as in the document and the test. It remains when those who asked delete theirs. */
  question: z.string().trim().min(1).max(500),
  answer: z.discriminatedUnion("kind", [
    /** A section at the end of a document that was entered as a text. */
    z.object({ kind: z.literal("section"), documentId: id, text }),
    z.object({ kind: z.literal("document"), title: z.string().trim().min(1).max(200), text }),
    /** A passage that already contains the answer. */
    z.object({ kind: z.literal("passage"), documentId: id, passageId: z.string().regex(/^\d{1,18}$/) }),
  ]),
});
export type ClusterAnswer = z.infer<typeof clusterAnswer>;

export const canAnswerQuestions = isAdmin;

export const questionClusters = defineContracts("questionClusters", {
  list: get("/api/question-clusters", {
    does: "List the questions that chatbots did not answer, grouped",
    query: listQuery.extend({
      /** Open and assigned ones if none is given. */
      status: z.enum([...clusterStatus.options, "all"]).optional(),
      chatbotId: id.optional(),
      ownerId: id.optional(),
      sort: sortBy("times", "lastAskedAt").default("-times"),
    }),
    reply: page(questionCluster),
  }),
  get: get("/api/question-clusters/:id", {
    does: "Get a group of questions with their latest occurrences and its answer",
    reply: questionClusterDetail,
  }),
  update: patch("/api/question-clusters/:id", {
    does: "Assign a group of questions to an admin, dismiss it or open it again",
    body: z.object({ ownerId: id.nullable().optional(), status: z.enum(["open", "dismissed"]).optional() }),
    reply: questionClusterDetail,
  }),
  answer: post("/api/question-clusters/:id/answer", {
    does: "Answer a group of questions: adds the answer to a document, or names its passage, and saves a test question",
    body: clusterAnswer,
    reply: questionClusterDetail,
  }),
});

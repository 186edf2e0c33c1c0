import { z } from "zod";
import { documentVersion, textBlock } from "#shared/documents/documentVersions.ts";
import { changes, defineContracts, del, get, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Documents: files, web pages and texts that chatbots quote. The contents of a document are its versions, which never
// change (documentVersions.ts). A passage is the piece of a version that is found and quoted.

const folder = z
  .string()
  .trim()
  .max(200)
  .overwrite((path) =>
    path
      .split("/")
      .map((part) => part.trim())
      .filter(Boolean)
      .join("/"),
  );
const named = z.object({ id: z.uuid(), name: z.string() });

/** The fields that admins edit. */
export const documentInput = z.object({
  title: z.string().trim().min(1).max(200),
  folder: folder.default(""),
  tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  /** Companies whose people may see quotes from it; none for all. */
  companyIds: z.array(z.uuid()).max(500).default([]),
  courseIds: z.array(z.uuid()).max(200).default([]),
  ownerId: z.uuid().nullable().default(null),
  /** The day by which its owner reviews it. */
  reviewBy: z.iso.date().nullable().default(null),
  /** ISO 639-1, if the detected language is wrong. */
  language: z
    .string()
    .regex(/^[a-z]{2}$/, { error: "core.badLanguage" })
    .nullable()
    .default(null),
});

export const document = z.object({
  id: z.uuid(),
  title: z.string(),
  folder: z.string(),
  tags: z.array(z.string()),
  /** Of a `course`, pages are the parts that can be opened. */
  source: z.enum(["upload", "web", "text", "course"]),
  url: z.string().nullable(),
  companies: z.array(named),
  courses: z.array(named),
  owner: named.nullable(),
  reviewBy: z.string().nullable(),
  language: z.string().nullable(),
  status: z.enum(["active", "archived"]),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The version that is quoted; null until the first one is ready. */
  live: documentVersion.nullable(),
  /** The newest version, which may be in the pipeline. */
  latest: documentVersion,
});
export type DocumentRow = z.infer<typeof document>;
export const documentDetail = document.extend({
  versions: z.array(documentVersion),
  /** Passages of the live version, or of the newest if none is live, that seem to give orders to a language model. */
  orders: z.int(),
  /** Passages of the live version with a vector; found by meaning when all have one. Null without such a model. */
  vectors: z.object({ made: z.int(), of: z.int() }).nullable(),
});
export type DocumentDetail = z.infer<typeof documentDetail>;

/** A piece of a version: `text` is the characters `charFrom` to `charTo` of the text of its version. */
export const passage = z.object({
  id: z.string(),
  number: z.int(),
  /** The headings above it, separated by ` › `. */
  heading: z.string(),
  page: z.int().nullable(),
  pageTo: z.int().nullable(),
  charFrom: z.int(),
  charTo: z.int(),
  text: z.string(),
});
export type PassageRow = z.infer<typeof passage>;

export const foundPassage = passage.extend({
  score: z.number(),
  /** Share of the terms of the question that occur in it, 0 to 1. */
  coverage: z.number(),
  /** Rank by words and by meaning, from 1; null where it was not found. */
  ranks: z.object({ words: z.int().nullable(), meaning: z.int().nullable() }),
});
export type FoundPassage = z.infer<typeof foundPassage>;

/** A part of an answer, with the number of the passage that it quotes (from 1) and where in it. */
export const answerPart = z.object({
  text: z.string(),
  quote: z.object({ passage: z.int(), start: z.int(), end: z.int() }).nullable(),
});
export const answer = z.object({
  parts: z.array(answerPart),
  isRefused: z.boolean(),
  connector: z.string(),
  passages: z.array(foundPassage),
  /** Further passages with words of the question. */
  others: z.int(),
  ms: z.number(),
});
export type Answer = z.infer<typeof answer>;

export const testQuestion = z.object({
  id: z.uuid(),
  question: z.string(),
  expected: z.string(),
  facts: z.array(z.string()),
  results: z.array(
    z.object({
      version: z.int(),
      /** Rank of the first passage with the expected words; null if it is not among the first five. */
      rank: z.int().nullable(),
      /** Facts that are not in the first five passages. */
      missing: z.array(z.string()),
      testedAt: z.string(),
    }),
  ),
});
export type TestQuestion = z.infer<typeof testQuestion>;
/** Passages among which a test question looks for what it expects. */
export const TEST_DEPTH = 5;
export const MAX_TEST_QUESTIONS = 200;

export const canManageDocuments = isAdmin;

const versionParams = z.object({ id: z.uuid(), number: z.coerce.number().int().min(1).max(1_000_000) });
/** For a new document, folder and companies (none for all); for a new version, its document. */
const target = {
  folder: folder.default(""),
  companyIds: documentInput.shape.companyIds,
  documentId: z.uuid().optional(),
};
const question = z.string().trim().min(1).max(500);

export const documents = defineContracts("documents", {
  list: get("/api/documents", {
    does: "List the documents",
    query: listQuery.extend({
      folder: z.string().max(200).optional(),
      companyId: z.uuid().optional(),
      state: z.enum(["ready", "working", "held", "failed"]).optional(),
      status: z.enum(["active", "archived"]).default("active"),
      sort: sortBy("title", "updatedAt", "reviewBy").default("title"),
    }),
    reply: page(document).extend({
      /** Totals of all documents: passages of live versions, and documents in the pipeline or failed. */
      passages: z.int(),
      working: z.int(),
      failed: z.int(),
    }),
  }),
  folders: get("/api/document-folders", {
    does: "List the folders of documents",
    reply: z.object({ items: z.array(z.object({ folder: z.string(), documents: z.int() })) }),
  }),
  get: get("/api/documents/:id", { does: "Get a document with its versions", reply: documentDetail }),
  create: post("/api/documents", {
    does: "Add an uploaded file as a document, or as a new version of one; repeated calls return the same",
    body: z.object({ path: z.string().min(1).max(1024), name: z.string().trim().min(1).max(200), ...target }),
    reply: documentDetail,
  }),
  addPage: post("/api/document-pages", {
    does: "Add a web page by its address, or read it anew as a new version",
    body: z.object({ url: z.url({ protocol: /^https?$/ }).max(2000), ...target }),
    reply: documentDetail,
  }),
  addText: post("/api/document-texts", {
    does: "Add a text in Markdown, or a new version of one",
    body: z.object({
      title: z.string().trim().min(1).max(200),
      text: z.string().trim().min(1).max(500_000),
      ...target,
    }),
    reply: documentDetail,
    maxBytes: 2_500_000,
  }),
  addCourse: post("/api/document-courses", {
    does: "Add the text of a course, by part and without its questions; new live versions are added automatically",
    body: z.object({ courseId: z.uuid(), folder: target.folder, companyIds: target.companyIds }),
    reply: documentDetail,
  }),
  update: patch("/api/documents/:id", {
    does: "Change a document; 409 if it changed since `version`",
    body: changes(documentInput).extend({ version: z.int() }),
    reply: documentDetail,
  }),
  archive: post("/api/documents/:id/archive", {
    does: "Archive a document: it is not quoted any more",
    reply: documentDetail,
  }),
  restore: post("/api/documents/:id/restore", {
    does: "Make an archived document active again",
    reply: documentDetail,
  }),
  remove: del("/api/documents/:id", { does: "Delete a document with all versions, files and test questions" }),
  indexAgain: post("/api/documents/:id/versions/:number/index", {
    does: "Read a failed version again, or split and index one anew",
    params: versionParams,
    reply: documentDetail,
  }),
  publish: post("/api/documents/:id/versions/:number/publish", {
    does: "Make a version live that is ready, held or replaced",
    params: versionParams,
    reply: documentDetail,
  }),
  passages: get("/api/documents/:id/passages", {
    does: "List the passages of a version in order; of the live one if none is given",
    query: listQuery.omit({ sort: true }).extend({
      number: z.coerce.number().int().min(1).optional(),
      /** Only those that seem to give orders to a language model. */
      orders: z.enum(["yes", "no"]).default("no"),
    }),
    reply: page(passage.extend({ givesOrders: z.boolean() })),
  }),
  text: get("/api/documents/:id/versions/:number/text", {
    does: "Get the text of a version and its blocks, for citations by offset",
    params: versionParams,
    reply: z.object({ title: z.string(), name: z.string(), text: z.string(), blocks: z.array(textBlock) }),
  }),
  ask: post("/api/documents/:id/ask", {
    does: "Find the passages of a document for a question, and answer from them",
    body: z.object({ question, number: z.int().min(1).optional() }),
    reply: answer,
  }),
  testQuestions: get("/api/documents/:id/test-questions", {
    does: "List the test questions of a document with their results by version",
    reply: z.object({ items: z.array(testQuestion) }),
  }),
  addTestQuestion: post("/api/documents/:id/test-questions", {
    does: "Save a question that each new version must answer; it is tried at once",
    body: z.object({
      question,
      expected: z.string().trim().min(1).max(2000),
      facts: z.array(z.string().trim().min(1).max(200)).max(10).default([]),
    }),
    reply: testQuestion,
  }),
  removeTestQuestion: del("/api/test-questions/:id", { does: "Delete a test question" }),
});

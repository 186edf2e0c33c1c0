import { z } from "zod";
import { analyticsFilter } from "#shared/analysis.ts";
import { transcriptRow } from "#shared/conversations.ts";
import { defineContracts, get, listQuery, page } from "#shared/route.ts";

// What is behind a figure of the analytics: its conversations, and the tables as a file

/** Figures that count some of the conversations of the filter only. `timed`: answers of models, whose time is measured. */
export const countedFigure = z.enum([
  "ended",
  "goal",
  "ratings",
  "thumbsUp",
  "noAnswer",
  "guided",
  "fullSolutions",
  "partialSolutions",
  "earlySolutions",
  "timed",
  "cost",
  "unpriced",
]);
export type CountedFigure = z.infer<typeof countedFigure>;

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max).optional();
/** Narrows the filter to the conversations that a figure, a row or a cell counts; several hold together. */
export const countedBy = z.object({
  figure: countedFigure.optional(),
  promptVersionId: z.uuid().optional(),
  documentId: z.uuid().optional(),
  /** A message was written on this weekday (1 is Monday) in this hour. */
  weekday: whole(1, 7),
  hour: whole(0, 23),
  /** Left without an end after so many questions; the highest number stands for itself and more. */
  leftAfter: whole(1, 12),
});
export type CountedBy = z.infer<typeof countedBy>;

export const analyticsRows = defineContracts("analysis", {
  conversations: get("/api/conversation-analytics/conversations", {
    does: "List the conversations that a figure counts, newest first",
    query: z.object({ ...analyticsFilter.shape, ...countedBy.shape, ...listQuery.omit({ sort: true }).shape }),
    reply: page(transcriptRow),
  }),
  export: get("/api/conversation-analytics/export", {
    does: "Export the tables of the analytics as CSV or XLSX: a row for each chatbot, company, course, model, prompt version, day and hour",
    query: analyticsFilter.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
});

import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, del, get, KIB, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// What a person has completed before they came here, or elsewhere, as admins record it by hand. Files: shared/imports/

export const MAX_TITLE = 200;
export const MAX_REFERENCE = 200;
/** How many completions of a person are listed, the latest first. */
export const MAX_LISTED = 200;

const line = (max: number) =>
  z
    .string()
    .overwrite((text) => text.replace(/[\s\p{Cc}]+/gu, " "))
    .trim()
    .max(max);

export const pastCompletionInput = z
  .object({
    /** A course of this academy; null for another one, which has a title only. */
    courseId: z.uuid().nullable(),
    title: line(MAX_TITLE).default(""),
    /** The day, in the zone of the company. */
    completedOn: day,
    scorePercent: z.number().min(0).max(100).nullable().default(null),
    /** What proves it, such as the number of a certificate. */
    reference: line(MAX_REFERENCE).default(""),
  })
  .superRefine(({ courseId, title }, ctx) => {
    if (courseId === null && title === "") ctx.addIssue({ code: "custom", path: ["title"], message: "core.missing" });
  });

/** What it does: `completes` the course here, or is `history`; `takenBack`: an admin has taken the completion back. */
export const pastEffect = z.enum(["completes", "history", "takenBack"]);

export const pastCompletion = z.object({
  id: z.uuid(),
  courseId: z.uuid().nullable(),
  course: z.string(),
  completedOn: z.string(),
  reference: z.string(),
  effect: pastEffect,
  /** The name of the file from which it was imported; null if it was recorded by hand. */
  fileName: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
});
export type PastCompletion = z.infer<typeof pastCompletion>;
export const pastCompletionList = z.object({
  items: z.array(pastCompletion).max(MAX_LISTED),
  /** There are older ones, too. */
  isMore: z.boolean(),
  today: z.string(),
});

export const canRecordPastCompletions = isAdmin;

export const pastCompletions = defineContracts("pastCompletions", {
  list: get("/api/learners/:id/past-completions", {
    does: "List what a learner has completed before or elsewhere, the latest first",
    reply: pastCompletionList,
  }),
  add: post("/api/learners/:id/past-completions", {
    maxBytes: 4 * KIB,
    does:
      "Record that a learner has completed a course before or elsewhere: it completes a course that they have not " +
      "started, otherwise it is history. 409 if it is recorded already",
    body: pastCompletionInput,
    reply: z.object({ id: z.uuid(), effect: pastEffect }),
  }),
  remove: del("/api/past-completions/:id", {
    does: "Take back a completion that was recorded by hand; 409 if the learner has opened the course since",
  }),
});

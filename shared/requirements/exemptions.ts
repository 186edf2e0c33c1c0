import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, KIB, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// People who need not hold a required course for a time

export const MAX_NOTE = 1000;
export const MAX_EXEMPT_YEARS = 5;
/** Days after an exemption in which the course is not due yet, unless another day is chosen. */
export const DUE_AFTER_DAYS = 14;
/** How many exemptions of one requirement are listed, the latest first. */
export const MAX_LISTED = 50;

/** Why: `absence`, such as parental leave; `role`: other tasks; `equivalent`: another qualification covers it. */
export const exemptionGround = z.enum(["absence", "health", "role", "equivalent", "other"]);
export type ExemptionGround = z.infer<typeof exemptionGround>;

const yearsAfter = (from: string, years: number) => `${Number(from.slice(0, 4)) + years}${from.slice(4)}`;

export const exemptionTerms = z
  .object({
    /** The first and the last day, in the zone of the company. */
    from: day,
    until: day,
    /** A course that is not complete is not due before this day. */
    due: day,
    ground: exemptionGround,
    note: z.string().trim().max(MAX_NOTE).default(""),
    /** Of all courses that the person must hold, and is not exempt from yet. */
    everywhere: z.boolean().default(false),
  })
  .superRefine(({ from, until, due }, ctx) => {
    const add = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    if (until < from) add("until", "exemptions.endsBefore");
    if (until > yearsAfter(from, MAX_EXEMPT_YEARS)) add("until", "exemptions.tooLong");
    if (due <= until) add("due", "exemptions.dueBefore");
  });
export type ExemptionTerms = z.infer<typeof exemptionTerms>;

export const exemption = z.object({
  id: z.uuid(),
  from: z.string(),
  until: z.string(),
  due: z.string(),
  ground: exemptionGround,
  note: z.string(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  endedAt: z.string().nullable(),
  endedBy: z.string().nullable(),
  /** Whether it covers today, or a day to come. */
  isOpen: z.boolean(),
});
export type Exemption = z.infer<typeof exemption>;
export const exemptionList = z.object({ items: z.array(exemption), today: z.string() });
export type ExemptionList = z.infer<typeof exemptionList>;

/** Managers see that people are exempt, and until when; the ground and the note are for admins. */
export const canManageExemptions = isAdmin;

export const exemptions = defineContracts("exemptions", {
  list: get("/api/compliance/:id/exemptions", {
    does: "List the exemptions of a person from a required course, the latest first; `id` is that of the enrolment",
    reply: exemptionList,
  }),
  create: post("/api/compliance/:id/exemptions", {
    maxBytes: 8 * KIB,
    does: "Exempt a person from a required course for a time; replies with the number of courses",
    body: exemptionTerms,
    reply: z.object({ courses: z.int() }),
  }),
  end: post("/api/exemptions/:id/end", {
    maxBytes: KIB,
    does: "End an exemption today; 409 if it is over",
    reply: exemptionList,
  }),
});

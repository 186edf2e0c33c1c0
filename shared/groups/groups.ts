import { z } from "zod";
import { personCondition } from "#shared/conditions/conditions.ts";
import { day } from "#shared/core/dates.ts";
import { changes, defineContracts, del, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

// Groups of people of one company: by hand or by a rule

export const MAX_GROUPS = 2000;
/** The most people that one call puts in or keeps out. */
export const MAX_PLACED = 500;
/** How many levels deep groups nest. */
export const MAX_NESTING = 5;

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
export const groupInput = z.object({
  name: z.string().overwrite(oneLine).trim().min(1).max(120),
  description: z.string().trim().max(500).default(""),
  /** Null: people are chosen by hand. */
  rule: personCondition.nullable().default(null),
});

export const group = z.object({
  id: z.uuid(),
  companyId: z.uuid(),
  name: z.string(),
  description: z.string(),
  rule: personCondition.nullable(),
  /** Its members come from the directory of the company. */
  provided: z.boolean(),
  people: z.int(),
  version: z.int(),
  updatedAt: z.string(),
});
export type Group = z.infer<typeof group>;
/** Names of what rules refer to by id: fields, choices, groups and courses. */
export const ruleNames = z.record(z.string(), z.string());

export const groupDetail = group.extend({
  company: z.string(),
  names: ruleNames,
  byHand: z.int(),
  keptOut: z.int(),
  /** People who came and went in the last 30 days. */
  joined: z.int(),
  left: z.int(),
  /** Groups and enrolment rules that refer to this one. */
  usedBy: z.array(z.object({ id: z.uuid(), name: z.string(), kind: z.enum(["group", "enrolmentRule"]) })),
});
export type GroupDetail = z.infer<typeof groupDetail>;

/** `out`: kept out by hand. */
export const memberWhy = z.enum(["rule", "hand", "provided", "out"]);
export type MemberWhy = z.infer<typeof memberWhy>;
export const member = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  why: memberWhy,
  /** Since when the person is in the group, or is kept out. */
  since: z.string(),
  /** The last day of what was decided by hand. */
  until: z.string().nullable(),
  note: z.string(),
});
export type Member = z.infer<typeof member>;

/** What a rule would change; of each the first people by name. */
const people = z.object({ count: z.int(), names: z.array(z.string()) });
export const preview = z.object({ members: people, joins: people, leaves: people });
export type Preview = z.infer<typeof preview>;

// Who may do what

export const canManageGroups = isAdmin;

// Endpoints

export const groups = defineContracts("groups", {
  list: get("/api/groups", {
    does: "List the groups of a company, with the names of what their rules refer to",
    query: listQuery.extend({
      companyId: z.uuid(),
      kind: z.enum(["rule", "hand", "provided"]).optional(),
      sort: sortBy("name", "people").default("name"),
    }),
    reply: page(group.extend({ names: ruleNames })),
  }),
  choices: get("/api/groups/choices", {
    does: "List the names of the groups of a company, for filters",
    query: z.object({ companyId: z.uuid() }),
    reply: z.object({ items: z.array(group.pick({ id: true, name: true, people: true })) }),
  }),
  ofPerson: get("/api/groups/people/:id", {
    does: "List the groups that a learner is in or is kept out of, and why",
    reply: z.object({
      items: z.array(
        group.pick({ id: true, name: true, companyId: true }).extend({
          why: memberWhy,
          since: z.string(),
          until: z.string().nullable(),
        }),
      ),
    }),
  }),
  create: post("/api/groups", {
    does: "Add a group to a company",
    body: groupInput.extend({ companyId: z.uuid() }),
    reply: groupDetail,
  }),
  preview: post("/api/groups/preview", {
    priority: "heavy",
    does: "Preview who would be in a group by this rule, and who would join and leave; nothing is changed",
    body: z.object({ companyId: z.uuid(), id: z.uuid().optional(), rule: personCondition.nullable() }),
    reply: preview,
  }),
  get: get("/api/groups/:id", { does: "Get a group with its counts and what uses it", reply: groupDetail }),
  members: get("/api/groups/:id/members", {
    does: "List the people of a group and why they are in it, or those who are kept out",
    query: listQuery.omit({ sort: true }).extend({ why: memberWhy.optional() }),
    reply: page(member),
  }),
  export: get("/api/groups/:id/export", {
    does: "Export the people of a group with the reason as CSV; the header x-rows is their number",
    reply: z.string(),
  }),
  update: patch("/api/groups/:id", {
    does: "Change a group; 409 if it changed since `version`. People join and leave immediately",
    body: changes(groupInput).extend({ version: z.int() }),
    reply: groupDetail,
  }),
  place: post("/api/groups/:id/people", {
    maxBytes: 64 * KIB,
    does: "Put people into a group or keep them out, whatever its rule says; with null, the rule decides again",
    body: z.object({
      ids: z.array(z.uuid()).min(1).max(MAX_PLACED),
      place: z.enum(["in", "out"]).nullable(),
      /** The last day, in the time zone of the company. */
      until: day.nullable().default(null),
      note: z.string().trim().max(200).default(""),
    }),
    reply: z.object({ changed: z.int() }),
  }),
  remove: del("/api/groups/:id", { does: "Delete a group; 409 while the rule of another group refers to it" }),
});

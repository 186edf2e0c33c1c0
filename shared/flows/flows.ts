import { z } from "zod";
import { defineContracts, del, get, listQuery, page, patch, post } from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";
import { renderTemplate, type TemplateValue } from "#shared/variables/templates.ts";
import { variableType } from "#shared/variables/variables.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";
import { parseNumber } from "#shared/variables/valueRules.ts";
import { refusals, type VariableValue } from "#shared/variables/variableTypes.ts";

// Flows: what happens to each value of a variable besides being stored. A flow passes it, through an optional
// transformation, to another variable or to a webhook.

const scalar = z.union([z.string().max(2000), z.number(), z.boolean()]);
export const transform = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({
    kind: z.literal("map"),
    pairs: z
      .array(z.object({ from: scalar, to: scalar }))
      .min(1)
      .max(100),
    /** Result for values that are in no pair; null: they are not passed on. */
    otherwise: scalar.nullable().default(null),
  }),
  z.object({
    kind: z.literal("threshold"),
    at: z.number(),
    /** For numbers from `at` on, and for smaller ones. */
    reached: scalar,
    below: scalar,
  }),
  /**
   * A text in which `{{value}}` is the value. Other placeholders are values of the same learner that are visible to
   * learners and not sensitive; name and email address only if the target receives them anyway.
   */
  z.object({ kind: z.literal("template"), text: z.string().trim().min(1).max(5000) }),
]);
export type Transform = z.infer<typeof transform>;

export const flowTarget = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("variable"), variableId: z.uuid() }),
  z.object({ kind: z.literal("webhook"), webhookId: z.uuid() }),
]);
export type FlowTarget = z.infer<typeof flowTarget>;

export const flowInput = z.object({
  sourceVariableId: z.uuid(),
  transform: transform.default({ kind: "none" }),
  target: flowTarget,
  isActive: z.boolean().default(true),
});
export type FlowInput = z.infer<typeof flowInput>;

const endPoint = z.object({ id: z.uuid(), label: z.string(), key: z.string(), courses: z.array(z.string()) });
export const flow = z.object({
  id: z.uuid(),
  version: z.int(),
  source: endPoint.extend({ type: variableType }),
  transform,
  target: z.discriminatedUnion("kind", [
    endPoint.extend({ kind: z.literal("variable"), type: variableType }),
    z.object({ kind: z.literal("webhook"), id: z.uuid(), label: z.string() }),
  ]),
  isActive: z.boolean(),
  /** Why an active flow passes nothing; null if it works. `sourceSensitive`: the target is less private. */
  problem: z.enum(["sourceArchived", "sourceSensitive", "targetArchived", "webhookOff"]).nullable(),
  /** The existing values have not been passed yet; they are once the flow is active and its variables allow it. */
  backfillPending: z.boolean(),
  fired: z.int(),
  refused: z.int(),
  lastFiredAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Flow = z.infer<typeof flow>;

/** Maximum number of flows of an academy. */
export const MAX_FLOWS = 500;

/**
 * The value that a flow passes on; undefined if none. `values` are those of the placeholders of a template, except
 * `value`.
 */
export function transformValue(
  by: Transform,
  { value, type, unit }: TemplateValue,
  values: ReadonlyMap<string, TemplateValue> = new Map(),
): VariableValue | undefined {
  if (by.kind === "none") return value;
  if (by.kind === "map") {
    const pair = by.pairs.find(({ from }) => isEqualText(from, value));
    return pair ? pair.to : (by.otherwise ?? undefined);
  }
  if (by.kind === "threshold") {
    const number = typeof value === "string" ? parseNumber(value) : value;
    if (typeof number !== "number" && typeof number !== "boolean") return undefined;
    return Number(number) >= by.at ? by.reached : by.below;
  }
  const all = new Map([...values, ["value", { value, type, unit }] as const]);
  return renderTemplate(by.text, all, { target: "plain", notAvailable: "", booleans: ["yes", "no"] }).text;
}
/** Options and booleans are compared ignoring case, as packages send them as texts. */
const isEqualText = (one: VariableValue, other: VariableValue) =>
  typeof other !== "object" && String(one).trim().toLowerCase() === String(other).trim().toLowerCase();

export const canManageFlows = isAdmin;
/** Sending values to a webhook requires re-authentication, as changing its address does. */
export const canChangeFlows = withReauth(
  isAdmin,
  (_, sent) => (sent as Partial<FlowInput> | undefined)?.target?.kind === "webhook",
);
/**
 * Changing what is sent to a webhook requires re-authentication. Any change except pausing may cause values to be sent.
 */
export const canUpdateFlows = withReauth(isAdmin, (_, sent) => {
  const { isActive, transform } = (sent ?? {}) as Partial<FlowInput>;
  return isActive !== false || transform !== undefined;
});

export const flows = defineContracts("flows", {
  list: get("/api/flows", {
    does: "List the flows",
    query: listQuery.omit({ sort: true }).extend({ variableId: z.uuid().optional() }),
    reply: page(flow),
  }),
  create: post("/api/flows", {
    does: "Add a flow; 409 if its target has a source already, or if the flows would form a circle",
    body: flowInput.extend({
      /** Passes on the current values first, shortly after the reply. */
      includesCurrent: z.boolean().default(false),
    }),
    reply: flow,
  }),
  update: patch("/api/flows/:id", {
    does: "Change the transformation of a flow, pause or resume it; 409 if it changed since `version`",
    body: z.object({ version: z.int(), transform: transform.optional(), isActive: z.boolean().optional() }),
    reply: flow,
  }),
  remove: del("/api/flows/:id", { does: "Delete a flow; the values that it has passed on stay" }),
  try: post("/api/flow-tries", {
    does: "Show what a flow would make of a value, or of the current value of a learner",
    body: flowInput.omit({ isActive: true }).extend({ value: variableValue.optional(), userId: z.uuid().optional() }),
    reply: z.object({
      value: variableValue,
      /** The value that arrives; null if none does. */
      result: variableValue,
      refusal: z.enum(refusals).nullable(),
    }),
  }),
});

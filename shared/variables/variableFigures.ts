import { z } from "zod";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// Aggregates of the current values of a variable

/** A value of any type; its size is checked by `parseVariableValue`. */
export const variableValue = z.json() as z.ZodType<VariableValue>;

/** Distribution of the current values: bars of a histogram or of options, in order. */
export const distribution = z.object({
  bars: z.array(z.object({ label: z.string(), from: z.number().nullable(), count: z.int() })),
  /** Values beyond the bars: other options, or texts. */
  others: z.int(),
});
export type Distribution = z.infer<typeof distribution>;

export const variableStatistics = z.object({
  subjects: z.int(),
  learners: z.int(),
  values: z.int(),
  refused: z.int(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
  /** First and third quartile. */
  quartiles: z.tuple([z.number(), z.number()]).nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  firstMean: z.number().nullable(),
  /** Subjects with at least two values, and those of them whose current value is above their first one. */
  repeated: z.int(),
  improved: z.int(),
  current: distribution.nullable(),
  first: distribution.nullable(),
});
export type VariableStatistics = z.infer<typeof variableStatistics>;

export const companyValues = z.object({
  companyId: z.uuid(),
  company: z.string(),
  learners: z.int(),
  /** Null below MIN_GROUP, and for types without an order. */
  median: z.number().nullable(),
  quartiles: z.tuple([z.number(), z.number()]).nullable(),
  /** The most frequent value and its share; null below MIN_GROUP. */
  top: z.object({ label: z.string(), share: z.number() }).nullable(),
});

export const subjectValue = z.object({
  subject: z.string(),
  userId: z.uuid().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  companyId: z.uuid(),
  company: z.string(),
  /** Null for sensitive variables. */
  first: variableValue,
  current: variableValue,
  count: z.int(),
  /** The latest numeric values in order, at most 20. */
  recent: z.array(z.number()),
  lastAt: z.string(),
});
export type SubjectValue = z.infer<typeof subjectValue>;

export const leader = z.object({
  place: z.int(),
  userId: z.uuid(),
  name: z.string(),
  value: z.number(),
  gain: z.number(),
});
export const leaderboard = z.object({
  leaders: z.array(leader),
  /** Number of learners at a place that are not listed. */
  more: z.array(z.object({ place: z.int(), learners: z.int() })),
});

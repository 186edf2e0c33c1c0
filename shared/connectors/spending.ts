import { z } from "zod";

// What the calls of models cost, and the budgets that limit it

/** An amount in the academy's currency. */
export const money = z.number().min(0).max(1_000_000_000);
export const budgetState = z.object({
  /** Per month; null for no limit. Money in the academy's currency. */
  limit: z.number().nullable(),
  spent: z.number(),
  reserved: z.number(),
  /** (spent + reserved) / limit; 0 without a limit. */
  used: z.number(),
});

export const currency = z.string().regex(/^[A-Z]{3}$/, { error: "core.badCurrency" });
export const spendingInput = z.object({
  /** ISO 4217; that of all prices and budgets. */
  currency,
  monthlyBudget: money.nullable(),
  /** Text shown when a budget is used up. */
  limitText: z.string().trim().min(1).max(500),
});
export const companyBudget = z.object({ companyId: z.uuid(), monthlyBudget: money.nullable() });
export const spending = spendingInput.extend({
  budget: budgetState,
  /** Projected cost of the month at the current rate. */
  forecast: z.number(),
  calls: z.int(),
  failed: z.int(),
  unpriced: z.int(),
  /** Median and 95th percentile of this month, ms. */
  firstTokenMs: z.number().nullable(),
  slowFirstTokenMs: z.number().nullable(),
  companies: z.array(companyBudget.extend({ company: z.string(), budget: budgetState })),
});
export type Spending = z.infer<typeof spending>;

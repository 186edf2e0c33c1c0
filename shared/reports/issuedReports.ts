import { z } from "zod";
import { reportKind } from "#shared/reports/reportFigures.ts";
import { reportFilters } from "#shared/reports/reportQueries.ts";

/** A report as it was issued. `number` is printed on it; `digest` is the SHA-256 of its figures, 64 hex digits. */
export const issuedReport = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: reportKind,
  title: z.string(),
  filters: reportFilters,
  asOf: z.string(),
  digest: z.string(),
  rows: z.int(),
  issuedAt: z.string(),
  issuedBy: z.string().nullable(),
});
export type IssuedReport = z.infer<typeof issuedReport>;

/**
 * One figure of an issued report, named by its path such as `totals.completed`: as issued, and recounted today for the
 * same time.
 */
export const checkedFigure = z.object({
  path: z.string(),
  issued: z.union([z.number(), z.string(), z.null()]),
  counted: z.union([z.number(), z.string(), z.null()]),
});

import type { Db } from "#server/core/database/db.ts";
import { listHidden } from "#server/core/database/measured.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { User } from "#shared/core/users.ts";
import type { PeriodFigures, ReportFigures, Totals } from "#shared/reports/reportFigures.ts";

// Issued reports are stored with everything, so that they can be checked for good. Who reads one later does not see
// what the company has switched off meanwhile.

/** Which kinds are hidden in a report: one of several companies hides what any of them does. */
export async function listHiddenIn(
  db: Db,
  user: User,
  { companyId, personId }: { companyId: string | null; personId: string | null },
) {
  if (personId === null) return listHidden(db, user, companyId ? [companyId] : undefined);
  const rows = await db
    .selectFrom("enrolments")
    .where("userId", "=", personId)
    .select("companyId")
    .distinct()
    .execute();
  return listHidden(db, user, [...rows.map((row) => row.companyId), ...(companyId ? [companyId] : [])]);
}

/** The figures without those of hidden kinds. */
export function hideFigures(figures: ReportFigures, hidden: Set<MeasuredKind>): ReportFigures {
  const noScores = hidden.has("scores") && ({ scored: 0, meanScore: null, medianScore: null } as const);
  const noTimes = hidden.has("activeTime");
  const ofTotals = <T extends Totals>(totals: T): T => ({
    ...totals,
    ...noScores,
    ...(noTimes && { medianSeconds: null }),
  });
  const ofPeriod = (period: PeriodFigures): PeriodFigures => ({
    ...period,
    ...(noTimes && { activeSeconds: null }),
    ...(hidden.has("lastActivity") && { activeIn: null, activePeople: null }),
  });
  const { totals, period, before, split, scores, record } = figures;
  return {
    ...figures,
    totals: ofTotals(totals),
    period: ofPeriod(period),
    before: ofPeriod(before),
    split: split.map(ofTotals),
    scores: noScores ? scores.map(() => 0) : scores,
    record: record && {
      ...(noTimes ? { activeSeconds: null, reportedSeconds: null } : record),
      assignments: record.assignments.map((one) => ({
        ...one,
        ...(noScores && { score: null }),
        ...(noTimes && { seconds: null }),
      })),
    },
  };
}

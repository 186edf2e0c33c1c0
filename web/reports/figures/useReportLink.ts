import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { formatDateIn, formatTimeIn } from "#web/core/format/format.ts";
import { browserZone } from "#web/core/format/zone.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";

/** The parts of the address that say what a report counts. */
export const REPORT_PARAMS = ["from", "to", "days", "asOf", "companyId", "courseId", "zone"] as const;
export type ReportParams = { [Name in (typeof REPORT_PARAMS)[number]]?: string };

/**
 * What the address says that the report counts. The days of a course are those of its reader; those of a company or a
 * learner are its own.
 */
export function useReportQuery(kind: ReportKind) {
  const [params] = useSearchParams();
  return useMemo(() => {
    const given = REPORT_PARAMS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []));
    return { ...(kind === "course" && { zone: browserZone() }), ...Object.fromEntries(given) } as ReportParams;
  }, [params, kind]);
}

/** When a report was counted, or as of the end of which day, in words. */
export function useCountedLine({ asOf, isLive, filters: { zone } }: Pick<Report, "asOf" | "isLive" | "filters">) {
  const { t } = useTranslation();
  // The last moment that counts belongs to the day before a midnight.
  const day = formatDateIn(new Date(Date.parse(asOf) - 1).toISOString(), zone);
  return isLive
    ? t("reports.report.countedNow", { day, time: formatTimeIn(asOf, zone), zone })
    : t("reports.report.countedAsOf", { day, zone });
}

/** Links to the people behind a figure, in the list at the end of the report. */
export function useReportLink() {
  const [params] = useSearchParams();
  return (list: Record<string, string | number>) => {
    const next = new URLSearchParams();
    for (const name of REPORT_PARAMS) if (params.get(name)) next.set(name, params.get(name) as string);
    for (const [name, value] of Object.entries(list)) next.set(name, String(value));
    return `?${next}#people`;
  };
}

/** Changes what the report counts. The list begins anew. */
export function useReportChange() {
  const [, setParams] = useSearchParams();
  return (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value) after.set(name, value);
          else after.delete(name);
        for (const name of ["page", "week"]) after.delete(name);
        return after;
      },
      { preventScrollReset: true },
    );
}

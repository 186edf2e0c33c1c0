import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { formatDateIn, formatTimeIn } from "#web/core/format/format.ts";
import { browserZone } from "#web/core/format/zone.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";

/** The URL parameters with the filters of a report. */
export const REPORT_PARAMS = ["from", "to", "days", "asOf", "companyId", "courseId", "groupId", "zone"] as const;
export type ReportParams = { [Name in (typeof REPORT_PARAMS)[number]]?: string };

/**
 * The filters of the report from the URL. Days are in the reader's time zone for a course in all companies, otherwise
 * in that of the company.
 */
export function useReportQuery(kind: ReportKind) {
  const [params] = useSearchParams();
  return useMemo(() => {
    const given = REPORT_PARAMS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []));
    const isOfReader = kind === "course" && !params.get("companyId");
    return { ...(isOfReader && { zone: browserZone() }), ...Object.fromEntries(given) } as ReportParams;
  }, [params, kind]);
}

/** The time of the count, or the day as of which the report counts, as text. */
export function useCountedLine({ asOf, isLive, filters: { zone } }: Pick<Report, "asOf" | "isLive" | "filters">) {
  const { t } = useTranslation();
  // A count as of midnight belongs to the day before.
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

/** Changes the filters of the report and resets the list to its first page. */
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

import { useSearchParams } from "react-router";

/** The parts of the address that say what a report counts. */
export const REPORT_PARAMS = ["from", "to", "days", "asOf", "companyId", "courseId", "zone"] as const;
export type ReportParams = { [Name in (typeof REPORT_PARAMS)[number]]?: string };

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

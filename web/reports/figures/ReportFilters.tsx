import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { DayFilter } from "#web/core/table/DayFilter.tsx";
import { FilterBar } from "#web/core/table/FilterBar.tsx";
import { FilterMenu } from "#web/core/table/FilterMenu.tsx";
import { SavedViews } from "#web/core/views/SavedViews.tsx";
import classes from "#web/reports/figures/Report.module.css";
import { useReportChange } from "#web/reports/figures/useReportLink.ts";
import { useUser } from "#web/core/session/session.tsx";
import { isAdmin } from "#shared/core/users.ts";
import { defaultPeriods, reportPeriods as periods } from "#shared/core/periods.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";

const DAY_MS = 86_400_000;

type Props = {
  report: Report;
  kind: ReportKind;
  /** Courses of a company or a learner, or companies of a course. */
  options: { value: string; label: string }[];
  note?: string;
};

/** Filters of a report: period, day, and one course or company. Stored in the URL. */
export function ReportFilters({ report: { filters }, kind, options, note }: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const change = useReportChange();
  const { from, to } = filters;
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const canSave = isAdmin(useUser());
  const field = kind === "course" ? "companyId" : "courseId";
  const isNarrowed = ["asOf", "since", field].some((name) => params.has(name));
  const choosePeriod = (days: string) =>
    change(
      days === "" || days === String(defaultPeriods.report)
        ? { from: "", to: "", days: "" }
        : { from: "", to: "", days },
    );
  return (
    <FilterBar from={from} to={to} isNarrowed={isNarrowed} className={classes.filters}>
      <FilterMenu
        filter={{
          key: "period",
          label: t("reports.report.period"),
          options: periods.map((days) => ({ value: String(days), label: t(`reports.report.days.${days}`) })),
        }}
        value={params.get("days") ?? (params.get("from") ? String(periods.find((days) => days === length) ?? "") : "")}
        onChange={choosePeriod}
      />
      <DayFilter
        label={t("reports.report.from")}
        value={from}
        onChange={(day) => change({ from: day, to: day > to ? "" : to, days: "" })}
      />
      <DayFilter
        label={t("reports.report.to")}
        value={to}
        onChange={(day) => change({ to: day, from: day && day < from ? "" : from, days: "" })}
      />
      <DayFilter
        label={t("reports.report.asOf")}
        value={params.get("asOf") ?? ""}
        onChange={(day) => change({ asOf: day, from: "", to: "" })}
      />
      {options.length > 0 && (
        <FilterMenu
          filter={{
            key: field,
            label: t(`reports.report.columns.${kind === "course" ? "company" : "course"}`),
            options,
          }}
          value={params.get(field) ?? ""}
          onChange={(value) => change({ [field]: value })}
        />
      )}
      <DayFilter
        label={t("reports.report.changes.since")}
        value={params.get("since") ?? ""}
        onChange={(day) => change({ since: day })}
      />
      {canSave && <SavedViews align="start" />}
      <span className={classes.note}>{note ?? t("reports.report.daysOf", { zone: filters.zone })}</span>
    </FilterBar>
  );
}

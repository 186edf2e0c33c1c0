import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { DayFilter } from "#web/core/filter/DayFilter.tsx";
import { MoreFilters } from "#web/core/filter/MoreFilters.tsx";
import { PeriodFilter } from "#web/core/filter/PeriodFilter.tsx";
import { FilterBar } from "#web/core/filter/FilterBar.tsx";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { SavedViews } from "#web/core/views/SavedViews.tsx";
import classes from "#web/reports/figures/Report.module.css";
import { useReportChange } from "#web/reports/figures/useReportLink.ts";
import { useUser } from "#web/core/session/session.tsx";
import { isAdmin } from "#shared/core/users.ts";
import { defaultPeriods, reportPeriods as periods } from "#shared/core/periods.ts";
import { groups } from "#shared/groups/groups.ts";
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
  const isNarrowed = ["asOf", "since", "groupId", field].some((name) => params.has(name));
  const { companyId } = filters;
  const { data: groupChoices } = useQuery({
    ...queryFor(groups.choices, { query: { companyId: companyId ?? "" } }),
    enabled: canSave && companyId !== null && kind !== "learner",
  });
  const groupOptions = (groupChoices?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const hasPeriod = ["from", "to", "days"].some((name) => params.has(name));
  const isOfDefaultEnd = !params.has("from") && !params.has("to");
  const choosePeriod = (days: number) =>
    change({ from: "", to: "", days: days === defaultPeriods.report ? "" : String(days) });
  return (
    <FilterBar from={from} to={to} isNarrowed={isNarrowed} className={classes.filters}>
      <PeriodFilter
        from={from}
        to={to}
        presets={periods.map((days) => ({ days, label: t(`reports.report.days.${days}`) }))}
        preset={isOfDefaultEnd ? (periods.find((days) => days === length) ?? null) : null}
        onPreset={choosePeriod}
        onChange={(period) => change({ ...period, days: "" })}
        onClear={hasPeriod ? () => choosePeriod(defaultPeriods.report) : undefined}
      />
      {options.length > 0 && (
        <FilterMenu
          filter={{
            key: field,
            label: t(`reports.report.columns.${kind === "course" ? "company" : "course"}`),
            options,
          }}
          value={params.get(field) ?? ""}
          // Groups belong to companies.
          onChange={(value) => change({ [field]: value, ...(kind === "course" && { groupId: "" }) })}
        />
      )}
      {(groupOptions.length > 0 || params.has("groupId")) && kind !== "learner" && (
        <FilterMenu
          filter={{ key: "groupId", label: t("groups.filter"), options: groupOptions }}
          value={params.get("groupId") ?? ""}
          onChange={(value) => change({ groupId: value })}
        />
      )}
      <MoreFilters
        filters={(["asOf", "since"] as const).map((key) => ({
          key,
          label: t(`reports.report.${key === "asOf" ? "asOf" : "changes.since"}`),
          isSet: params.has(key),
          render: (open) => (
            <DayFilter
              label={t(`reports.report.${key === "asOf" ? "asOf" : "changes.since"}`)}
              value={params.get(key) ?? ""}
              onChange={(day) => change(key === "asOf" ? { asOf: day, from: "", to: "" } : { since: day })}
              {...open}
            />
          ),
        }))}
      />
      {canSave && <SavedViews align="start" />}
      <span className={classes.note}>{note ?? t("reports.report.daysOf", { zone: filters.zone })}</span>
    </FilterBar>
  );
}

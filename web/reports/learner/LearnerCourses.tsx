import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { useAnchorInView } from "#web/core/layout/useAnchorInView.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { FilterMenu } from "#web/core/filter/FilterMenu.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { type ReportParams, useReportChange } from "#web/reports/figures/useReportLink.ts";
import { ReportCourses } from "#web/reports/ReportCourses.tsx";
import { weekNumber } from "#web/reports/weekNumber.ts";
import { formatDue } from "#web/core/format/format.ts";
import { figureGroups } from "#shared/reports/reportFigures.ts";
import { type LearnerReport, reports } from "#shared/reports/reports.ts";

const PAGE_SIZE = 100;
const FILTERS = ["group", "week", "score"] as const;

type Props = {
  id: string;
  query: ReportParams;
  details: Pick<LearnerReport, "learner" | "attempts" | "sessions" | "summary">;
};

/** The courses counted by a figure of a learner; all courses unless the URL names a figure. */
export function LearnerCourses({ id, query, details }: Props) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const change = useReportChange();
  const page = Math.max(1, Number(params.get("page")) || 1);
  const size = Number(params.get("size")) || PAGE_SIZE;
  const chosen = Object.fromEntries(FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));
  const sent = { ...query, ...chosen, page, size, sort: "-lastActivityAt" } as const;
  const { data, error, refetch } = useQuery(pagedQueryFor(reports.rows, { params: { id }, query: sent }));
  const week = params.get("week");
  const score = Number(params.get("score") ?? NaN);
  const goTo = (next: { page?: number; size?: number }) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: 1, ...next })) after.set(name, String(value));
        return after;
      },
      { preventScrollReset: true },
    );
  useAnchorInView("people");
  return (
    <div id="people" style={{ scrollMarginTop: 76 }}>
      <Section
        title={t("reports.learner.courses")}
        side={
          <span data-print="hidden" style={{ display: "flex", flexWrap: "wrap", gap: 8 }}>
            {week && (
              <FilterMenu
                filter={{
                  key: "week",
                  label: t("reports.report.week"),
                  options: [
                    { value: week, label: t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) }) },
                  ],
                }}
                value={week}
                onChange={() => change({ week: "" })}
              />
            )}
            {!Number.isNaN(score) && (
              <FilterMenu
                filter={{
                  key: "score",
                  label: t("reports.courses.score"),
                  options: [
                    {
                      value: String(score),
                      label: t("reports.report.scoreRange", { from: score, to: score === 90 ? 100 : score + 9 }),
                    },
                  ],
                }}
                value={String(score)}
                onChange={() => change({ score: "" })}
              />
            )}
            <FilterMenu
              filter={{
                key: "group",
                label: t("reports.report.group"),
                options: figureGroups.map((value) => ({ value, label: t(`reports.report.groups.${value}`) })),
              }}
              value={params.get("group") ?? ""}
              onChange={(group) => change({ group })}
            />
          </span>
        }
      >
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows rows={4} />}
        {data?.total === 0 && <EmptyState title={t("reports.learner.noRows")} />}
        {data && data.total > 0 && <ReportCourses {...details} rows={data.items} />}
        {data && data.total > size && (
          <TableFooter
            page={page}
            size={size}
            total={data.total}
            noun={t("reports.report.noun")}
            onChange={goTo}
            embedded
          />
        )}
      </Section>
    </div>
  );
}

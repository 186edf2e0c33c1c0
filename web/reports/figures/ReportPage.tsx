import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import { TimeZone } from "#web/core/format/TimeZone.tsx";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { NotShown } from "#web/measures/NotShown.tsx";
import { LessonSection } from "#web/reports/blocks/LessonSection.tsx";
import { QuestionSection } from "#web/reports/course/QuestionSection.tsx";
import { ChangesSection } from "#web/reports/figures/ChangesSection.tsx";
import { Definitions } from "#web/reports/figures/Definitions.tsx";
import { DropOff } from "#web/reports/figures/DropOff.tsx";
import { PeriodTable } from "#web/reports/figures/PeriodTable.tsx";
import classes from "#web/reports/figures/Report.module.css";
import { ReportActions } from "#web/reports/figures/ReportActions.tsx";
import { ReportFilters } from "#web/reports/figures/ReportFilters.tsx";
import { ReportLedger } from "#web/reports/figures/ReportLedger.tsx";
import { ReportLists } from "#web/reports/figures/ReportLists.tsx";
import { ScoreBars } from "#web/reports/figures/ScoreBars.tsx";
import { SplitTable } from "#web/reports/figures/SplitTable.tsx";
import { useCountedLine, useReportQuery } from "#web/reports/figures/useReportLink.ts";
import { WeekBars } from "#web/reports/figures/WeekBars.tsx";
import { companies } from "#shared/companies/companies.ts";
import type { KindOfMany } from "#shared/reports/reportFigures.ts";
import { reports } from "#shared/reports/reports.ts";

/**
 * The report of a company or a course: figures, charts, and the people behind each number. The filters are in the URL.
 */
export function ReportPage({ kind, parent, mark }: { kind: KindOfMany; parent: string; mark?: ReactNode }) {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const [params] = useSearchParams();
  const query = useReportQuery(kind);
  const shownQuery = useDeferredValue(query);
  const { data: report } = useSuspenseQuery(queryFor(reports.figures, { params: { id }, query: shownQuery }));
  const all = useQuery(queryFor(companies.choices)).data?.items ?? [];
  const { figures, filters, asOf, isLive, title, names } = report;
  const isEmpty = figures.totals.assigned === 0;
  const hidesScores = report.hidden.includes("scores") && filters.companyId !== null;
  const isUnfiltered = isLive && !filters[kind === "company" ? "courseId" : "companyId"] && !filters.groupId;
  const options =
    kind === "company"
      ? Object.entries(names).map(([value, label]) => ({ value, label }))
      : all.map(({ id: value, name: label }) => ({ value, label }));

  return (
    <>
      <PageHead
        title={t(`reports.report.${kind}`)}
        parent={{ to: parent, label: title }}
        mark={mark}
        line={useCountedLine(report)}
        actions={<ReportActions id={id} kind={kind} query={query} total={figures.totals.assigned} />}
      />
      <ReportFilters report={report} kind={kind} options={options} />
      <div className={classes.body} data-loading={shownQuery !== query || undefined}>
        {report.recordedSince && Date.parse(report.recordedSince) > Date.parse(asOf) ? (
          <EmptyState
            title={t("reports.report.tooEarly")}
            text={t("reports.report.tooEarlyText", { day: formatDateIn(report.recordedSince, filters.zone) })}
          />
        ) : (
          <>
            <NotShown hidden={report.hidden} companyId={filters.companyId} />
            <ReportLedger report={report} />
            {params.get("since") && (
              <ChangesSection
                id={id}
                kind={kind}
                report={report}
                query={shownQuery}
                since={params.get("since") ?? ""}
              />
            )}
            {isEmpty ? (
              <EmptyState
                title={t(isUnfiltered ? `reports.report.unassigned.${kind}` : "reports.report.empty")}
                text={t(isUnfiltered ? "reports.report.unassigned.text" : "reports.report.emptyText")}
              />
            ) : (
              <>
                <div className={classes.charts} data-three={kind === "company" || undefined}>
                  <WeekBars report={report} />
                  {kind === "company" && !hidesScores && <ScoreBars report={report} />}
                  <PeriodTable report={report} />
                </div>
                {kind === "course" && (
                  <div className={classes.charts}>
                    <DropOff report={report} />
                    {!hidesScores && <ScoreBars report={report} />}
                  </div>
                )}
                {kind === "course" && (
                  <TimeZone value={filters.zone}>
                    <LessonSection id={id} query={shownQuery} />
                  </TimeZone>
                )}
                {kind === "course" && isLive && (
                  <TimeZone value={filters.zone}>
                    <QuestionSection id={id} companyId={filters.companyId} groupId={filters.groupId} />
                  </TimeZone>
                )}
                <Section title={t(kind === "company" ? "reports.report.columns.courses" : "reports.report.companies")}>
                  <SplitTable report={report} kind={kind} />
                </Section>
                <ReportLists id={id} kind={kind} report={report} query={query} />
                <Definitions kind={kind} />
              </>
            )}
          </>
        )}
      </div>
    </>
  );
}

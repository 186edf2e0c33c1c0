import { Button, SegmentedControl } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { AttentionList } from "#web/reports/AttentionList.tsx";
import { ChartPlaceholder } from "#web/reports/ChartPlaceholder.tsx";
import { ActivityFeed } from "#web/reports/ActivityFeed.tsx";
import { NextEvents } from "#web/reports/dashboard/NextEvents.tsx";
import { Legend } from "#web/reports/Legend.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { formatDuration, formatLongDay, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { IncompleteKey } from "#web/core/display/IncompleteKey.tsx";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import { chartColors, chartPast } from "#web/core/brand/theme.ts";
import { dashboardPeriods as periods, defaultPeriods } from "#shared/core/periods.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";
import { reports } from "#shared/reports/reports.ts";
import { shareOf } from "#shared/core/percent.ts";

const WeekChart = lazy(() => import("#web/reports/WeekChart.tsx").then(({ WeekChart }) => ({ default: WeekChart })));

const DashboardRows = lazy(() =>
  import("#web/reports/dashboard/DashboardRows.tsx").then(({ DashboardRows }) => ({ default: DashboardRows })),
);

type Period = (typeof periods)[number];
const DEFAULT_PERIOD: Period = defaultPeriods.dashboard;

/** The start page of admins: key figures, open issues, courses per week and recent activity. */
export function DashboardPage() {
  const { t } = useTranslation();
  const [now] = useState(() => new Date());
  const [params, setParams] = useSearchParams();
  const period: Period = periods.find((days) => String(days) === params.get("days")) ?? DEFAULT_PERIOD;
  const shown = useDeferredValue(period);
  const { data } = useSuspenseQuery(queryFor(reports.dashboard, { query: { days: shown } }));
  const { attention, summary, weeks, feed, events } = data;
  const isEmpty = summary.learners === 0 && attention.length === 0;

  return (
    <>
      <PageHead
        title={formatLongDay(now)}
        line={
          isEmpty
            ? t("reports.dashboard.noLearners")
            : t("reports.dashboard.attentionSummary", { count: attention.length })
        }
        actions={
          <SegmentedControl
            aria-label={t("reports.dashboard.period")}
            value={String(period)}
            onChange={(days) =>
              setParams(
                (before) => {
                  const figure = before.get("figure");
                  return { ...(days !== String(DEFAULT_PERIOD) && { days }), ...(figure && { figure }) };
                },
                { preventScrollReset: true },
              )
            }
            data={periods.map((days) => ({ value: String(days), label: t(`reports.dashboard.days.${days}`) }))}
          />
        }
      />
      <div style={{ opacity: shown === period ? 1 : 0.55 }}>
        <DashboardStats summary={summary} days={shown} />
      </div>
      {params.has("figure") && (
        <Suspense>
          <DashboardRows figure={params.get("figure")} days={shown} />
        </Suspense>
      )}
      {isEmpty ? (
        <EmptyState
          title={t("reports.dashboard.start")}
          text={t("reports.dashboard.startText")}
          action={
            <>
              <Button variant="default" component={Link} to="/courses">
                {t("reports.dashboard.upload")}
              </Button>
              <Button component={Link} to="/companies">
                {t("reports.dashboard.addCompany")}
              </Button>
            </>
          }
        />
      ) : (
        <TwoColumns
          aside={
            <>
              {events.length > 0 && <NextEvents events={events} />}
              <ActivityFeed items={feed} />
            </>
          }
        >
          <Section title={t("reports.dashboard.attention")}>
            <AttentionList items={attention} />
          </Section>
          <Section
            title={t("reports.dashboard.weeks")}
            side={
              <Legend
                items={[
                  { color: chartPast, label: t("reports.dashboard.started") },
                  { color: chartColors[0] as string, label: t("reports.dashboard.completed") },
                ]}
              >
                <IncompleteKey look="dashed">{t("web.chart.incompleteWeek")}</IncompleteKey>
              </Legend>
            }
          >
            <Suspense fallback={<ChartPlaceholder height={210} />}>
              <WeekChart weeks={weeks} />
            </Suspense>
          </Section>
        </TwoColumns>
      )}
    </>
  );
}

function DashboardStats({ summary, days }: { summary: Dashboard["summary"]; days: Period }) {
  const { t } = useTranslation();
  const { completed, completedBefore, activeLearners, activeSeconds } = summary;
  const linkTo = (figure: "active" | "completed" | "due") => `?days=${days}&figure=${figure}#rows`;
  const difference = completed - completedBefore;
  let change: "same" | "more" | "fewer" = "same";
  if (difference !== 0) change = difference > 0 ? "more" : "fewer";
  return (
    <StatTiles>
      <StatTile
        label={t("reports.dashboard.active")}
        value={formatNumber(activeLearners)}
        note={t("reports.dashboard.ofLearners", { count: summary.learners, n: formatNumber(summary.learners) })}
        to={linkTo("active")}
        definition={t("reports.dashboard.define.active")}
      />
      <StatTile
        label={t("reports.dashboard.coursesCompleted")}
        value={formatNumber(completed)}
        to={linkTo("completed")}
        definition={t("reports.dashboard.define.completed")}
        note={t(`reports.dashboard.${change}`, {
          n: formatNumber(Math.abs(difference)),
          before: t(`reports.dashboard.previous.${days}`),
        })}
      />
      <StatTile
        label={t("reports.dashboard.onTime")}
        value={formatPercent(shareOf(summary.onTime, summary.fellDue))}
        note={t("reports.dashboard.onTimeNote", {
          n: formatNumber(summary.onTime),
          count: summary.fellDue,
          all: formatNumber(summary.fellDue),
        })}
        definition={t("reports.dashboard.define.onTime")}
        to={linkTo("due")}
      />
      <StatTile
        label={t("reports.dashboard.overdue")}
        value={formatNumber(summary.overdue)}
        bad={summary.overdue > 0}
        to="/learners?progress=overdue"
        definition={t("reports.dashboard.define.overdue")}
        note={
          summary.overdue > 0
            ? t("reports.dashboard.inCompanies", { count: summary.overdueCompanies })
            : t("reports.dashboard.noneOverdue")
        }
      />
      <StatTile
        label={t("reports.dashboard.time")}
        value={formatDuration(activeSeconds)}
        definition={t("reports.dashboard.define.time")}
        to={linkTo("active")}
        note={
          activeLearners > 0 && activeSeconds !== null
            ? t("reports.dashboard.perLearner", { time: formatDuration(activeSeconds / activeLearners) })
            : undefined
        }
      />
    </StatTiles>
  );
}

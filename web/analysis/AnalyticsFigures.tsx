import { useSuspenseQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { AnalyticsFilters } from "#web/analysis/AnalyticsFilters.tsx";
import { ChatbotTable, CountBars, ModelTable, UnansweredList } from "#web/analysis/AnalyticsTables.tsx";
import { FigureTiles } from "#web/analysis/FigureTiles.tsx";
import { HourMap } from "#web/analysis/HourMap.tsx";
import { useAnalyticsFilter } from "#web/analysis/useAnalyticsFilter.ts";
import { formatWait } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { analysis } from "#shared/analysis.ts";
import { connectors } from "#shared/connectors.ts";

const DayChart = lazy(() => import("#web/analysis/DayChart.tsx").then(({ DayChart }) => ({ default: DayChart })));
const MOST_QUESTIONS = 12;

/** How much people talk with chatbots, how well it goes and what it costs. What it counts is in the address. */
export function AnalyticsFigures() {
  const { t } = useTranslation();
  const state = useAnalyticsFilter();
  const shown = useDeferredValue(state.filter);
  const { data } = useSuspenseQuery(queryFor(analysis.analytics, { query: shown }));
  const currency = useQuery(queryFor(connectors.spending)).data?.currency ?? "EUR";
  const { now, days, hours, unanswered, unansweredTotal, documents, leaving } = data;
  const wait = (ms: number | null) => (ms === null ? "–" : formatWait(ms, t));

  return (
    <>
      <AnalyticsFilters {...state} />
      <FigureTiles data={data} currency={currency} />
      {now.conversations === 0 ? (
        <EmptyState title={t("analysis.analytics.none")} text={t("analysis.analytics.noneText")} />
      ) : (
        <>
          <div className={classes.two}>
            <Section
              title={t("analysis.analytics.perDay")}
              side={
                <span className={classes.legend}>
                  <span style={{ "--dot": "var(--ly-chart-1)" } as React.CSSProperties}>
                    {t("analysis.analytics.thisPeriod")}
                  </span>
                  <span style={{ "--dot": "var(--mantine-color-dimmed)" } as React.CSSProperties}>
                    {t("analysis.analytics.periodBefore")}
                  </span>
                </span>
              }
            >
              <Suspense fallback={<div style={{ height: 220 }} />}>
                <DayChart days={days} />
              </Suspense>
            </Section>
            <Section title={t("analysis.analytics.when")}>
              <HourMap hours={hours} />
            </Section>
            <Section title={t("analysis.analytics.byChatbot")}>
              <ChatbotTable data={data} currency={currency} />
            </Section>
            <Section
              title={t("analysis.analytics.unanswered")}
              side={
                unansweredTotal > 0 && <Link to={{ search: "?tab=unanswered" }}>{t("analysis.unanswered.toList")}</Link>
              }
            >
              <UnansweredList unanswered={unanswered} />
            </Section>
            <Section title={t("analysis.analytics.leaving")} side={t("analysis.analytics.leavingNote")}>
              <CountBars
                rows={leaving.map(({ questions, conversations }) => ({
                  label:
                    questions === MOST_QUESTIONS
                      ? t("analysis.analytics.orMore", { count: questions })
                      : t("analysis.analytics.questionCount", { count: questions }),
                  count: conversations,
                  note: formatNumber(conversations),
                }))}
              />
            </Section>
            <Section title={t("analysis.analytics.documents")}>
              {documents.length === 0 && <p className={classes.dim}>{t("analysis.analytics.noDocuments")}</p>}
              <CountBars
                rows={documents.map(({ title, answers }) => ({
                  label: title,
                  count: answers,
                  note: t("analysis.analytics.answers", { count: answers }),
                }))}
              />
            </Section>
            {data.models.length > 0 && (
              <Section title={t("analysis.analytics.models")}>
                <ModelTable data={data} currency={currency} />
              </Section>
            )}
            {now.firstWordMs !== null && (
              <Section title={t("analysis.analytics.waits")}>
                <p>
                  {t("analysis.analytics.waitsText", {
                    first: wait(now.firstWordMs),
                    slowFirst: wait(now.slowFirstWordMs),
                    total: wait(now.totalMs),
                    slowTotal: wait(now.slowTotalMs),
                  })}
                </p>
              </Section>
            )}
          </div>
        </>
      )}
    </>
  );
}

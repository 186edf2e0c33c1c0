import { useSuspenseQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { AnalyticsFilters } from "#web/analysis/figures/AnalyticsFilters.tsx";
import { CountBars, ModelTable, PromptTable, UnansweredList } from "#web/analysis/figures/AnalyticsTables.tsx";
import { CountedLink } from "#web/analysis/figures/CountedLink.tsx";
import { FigureTiles } from "#web/analysis/figures/FigureTiles.tsx";
import { GroupTable, hasGiveAways } from "#web/analysis/figures/GroupTable.tsx";
import { HourMap, HourScale } from "#web/analysis/figures/HourMap.tsx";
import { useAnalyticsFilter } from "#web/analysis/figures/useAnalyticsFilter.ts";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";
import { formatWait } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { IncompleteKey } from "#web/core/display/IncompleteKey.tsx";
import { dayIn } from "#web/core/format/zone.ts";
import { chartPast } from "#web/core/brand/theme.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { analysis } from "#shared/analysis/analysis.ts";
import { BUILTIN_MODEL, connectors } from "#shared/connectors/connectors.ts";

const DayChart = lazy(() =>
  import("#web/analysis/figures/DayChart.tsx").then(({ DayChart }) => ({ default: DayChart })),
);
const MOST_QUESTIONS = 12;

/** Usage, quality and cost of chatbots. The filter is in the URL. */
export function AnalyticsFigures() {
  const { t } = useTranslation();
  const state = useAnalyticsFilter();
  const shown = useDeferredValue(state.filter);
  const { data } = useSuspenseQuery(queryFor(analysis.analytics, { query: shown }));
  const currency = useQuery(queryFor(connectors.spending)).data?.currency ?? "EUR";
  const { now, days, hours, unanswered, unansweredTotal, documents, leaving } = data;
  const [openedAt] = useState(() => new Date().toISOString());
  const today = dayIn(openedAt, shown.zone);
  const linkTo = useCountedLink();
  const wait = (ms: number | null) => (ms === null ? "–" : formatWait(ms, t));

  return (
    <>
      <AnalyticsFilters {...state} models={data.models.map(({ model }) => model)} />
      <FigureTiles data={data} currency={currency} />
      {now.conversations === 0 ? (
        <EmptyState title={t("analysis.analytics.none")} text={t("analysis.analytics.noneText")} />
      ) : (
        <>
          <div className={classes.halves}>
            <Section
              title={t("analysis.analytics.perDay")}
              side={
                <span className={classes.legend}>
                  <span style={{ "--dot": "var(--ly-chart-1)" } as React.CSSProperties}>
                    {t("analysis.analytics.thisPeriod")}
                  </span>
                  <span style={{ "--dot": chartPast } as React.CSSProperties}>
                    {t("analysis.analytics.periodBefore")}
                  </span>
                  {shown.to >= today && <IncompleteKey look="dashed">{t("web.chart.incompleteDay")}</IncompleteKey>}
                </span>
              }
            >
              <Suspense fallback={<div style={{ height: 220 }} />}>
                <DayChart days={days} today={today} />
              </Suspense>
            </Section>
            <Section title={t("analysis.analytics.when")} side={<HourScale />}>
              <HourMap hours={hours} />
            </Section>
          </div>
          <div className={classes.two}>
            <div className={hasGiveAways(data) ? classes.whole : undefined}>
              <GroupTable data={data} currency={currency} />
            </div>
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
                  to: linkTo({ leftAfter: questions }),
                }))}
              />
            </Section>
            <Section title={t("analysis.analytics.documents")}>
              {documents.length === 0 && <p className={classes.dim}>{t("analysis.analytics.noDocuments")}</p>}
              <CountBars
                rows={documents.map(({ id, title, answers }) => ({
                  label: title,
                  count: answers,
                  note: t("analysis.analytics.answers", { count: answers }),
                  to: linkTo({ documentId: id }),
                }))}
              />
            </Section>
            {data.models.length > 0 && (
              <Section title={t("analysis.analytics.models")}>
                <ModelTable data={data} currency={currency} />
              </Section>
            )}
            {data.prompts.length > 0 && (
              <Section title={t("analysis.analytics.prompts")}>
                <PromptTable data={data} currency={currency} />
              </Section>
            )}
            {now.firstWordMs !== null && data.models.some(({ model }) => model !== BUILTIN_MODEL) && (
              <Section title={t("analysis.analytics.waits")}>
                <p>
                  <CountedLink by={{ figure: "timed" }}>
                    {t("analysis.analytics.waitsText", {
                      first: wait(now.firstWordMs),
                      slowFirst: wait(now.slowFirstWordMs),
                      total: wait(now.totalMs),
                      slowTotal: wait(now.slowTotalMs),
                    })}
                  </CountedLink>
                </p>
              </Section>
            )}
          </div>
        </>
      )}
    </>
  );
}

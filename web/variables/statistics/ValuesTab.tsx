import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { CompanySpread } from "#web/variables/statistics/CompanySpread.tsx";
import { DistributionChart } from "#web/variables/statistics/DistributionChart.tsx";
import { Leaderboard } from "#web/variables/statistics/Leaderboard.tsx";
import { SubjectTable } from "#web/variables/statistics/SubjectTable.tsx";
import { barText, valueText } from "#web/variables/valueText.ts";
import classes from "#web/variables/statistics/ValuesTab.module.css";
import { type Variable, variables } from "#shared/variables/variables.ts";
import { type VariableStatistics } from "#shared/variables/variableFigures.ts";
import { shareOf } from "#shared/core/percent.ts";

/** Statistics, chart, leaderboard, companies and the value of each subject. */
export function ValuesTab({ variable }: { variable: Variable }) {
  const { t } = useTranslation();
  const { data: statistics } = useQuery(queryFor(variables.statistics, { params: { id: variable.id } }));
  if (!statistics) return <SkeletonRows rows={6} />;
  if (statistics.values === 0 && statistics.refused === 0)
    return <EmptyState title={t("variables.page.empty")} text={t("variables.page.emptyText")} />;
  const hasChart = (statistics.current?.bars.length ?? 0) > 0;
  return (
    <>
      <Figures variable={variable} statistics={statistics} />
      <div className={classes.columns}>
        {hasChart && (
          <Section title={t("variables.page.distribution")}>
            <DistributionChart variable={variable} statistics={statistics} />
          </Section>
        )}
        {variable.leaderboard && variable.privacy !== "sensitive" && <Leaderboard variable={variable} />}
        <CompanySpread variable={variable} statistics={statistics} />
      </div>
      <div className={classes.subjects}>
        <Section title={t("variables.page.perSubject", { subject: t(`variables.page.subject.${variable.scope}`) })}>
          <SubjectTable variable={variable} statistics={statistics} />
        </Section>
      </div>
    </>
  );
}

function Figures({ variable, statistics }: { variable: Variable; statistics: VariableStatistics }) {
  const { t } = useTranslation();
  const { mean, median, quartiles, min, max, firstMean, repeated, improved, subjects, learners, values, refused } =
    statistics;
  const text = (value: number) => valueText(Number(value.toFixed(1)), variable, t);
  const recorded = [
    t("variables.page.recorded", { count: values }),
    ...(refused > 0 ? [t("variables.page.refused", { count: refused })] : []),
  ].join(", ");
  return (
    <StatTiles>
      {variable.scope === "company" ? (
        <StatTile label={t("variables.page.subjects")} value={formatNumber(subjects)} note={recorded} />
      ) : (
        <StatTile label={t("variables.page.learners")} value={formatNumber(learners)} note={recorded} />
      )}
      {mean !== null && (
        <StatTile
          label={t("variables.page.mean")}
          value={text(mean)}
          note={repeated > 0 && firstMean !== null && t("variables.page.firstMean", { value: text(firstMean) })}
        />
      )}
      {median !== null && (
        <StatTile
          label={t("variables.page.median")}
          value={text(median)}
          note={quartiles && t("variables.page.middle", { low: text(quartiles[0]), high: text(quartiles[1]) })}
        />
      )}
      {min !== null && max !== null && (
        <StatTile label={t("variables.page.range")} value={`${text(min)}, ${text(max)}`} />
      )}
      {mean !== null && repeated > 0 && (
        <StatTile
          label={t("variables.page.improved")}
          value={formatPercent(shareOf(improved, repeated))}
          note={t("variables.page.improvedOf", { count: repeated })}
        />
      )}
      {variable.top && (
        <StatTile
          label={t("variables.page.topValue")}
          value={barText(variable.top.label, variable, t)}
          note={formatPercent(variable.top.share * 100)}
        />
      )}
    </StatTiles>
  );
}

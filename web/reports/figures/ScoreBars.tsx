import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { Bars } from "#web/reports/figures/Bars.tsx";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { Report } from "#shared/reports/reports.ts";

/** Number of assignments by score, in steps of ten percent. */
export function ScoreBars({ report: { figures } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  if (figures.totals.scored === 0) return null;
  const bars = figures.scores.map((value, n) => {
    const to = n === 9 ? 100 : n * 10 + 9;
    return {
      key: String(n),
      label: String(n * 10),
      value,
      title: t("reports.report.scoreTitle", { from: n * 10, to, count: value, n: formatNumber(value) }),
      to: linkTo({ group: "scored", score: n * 10 }),
    };
  });
  return (
    <Section
      title={t("reports.report.scores")}
      side={t("reports.report.scoresSide", { n: formatNumber(figures.totals.scored) })}
    >
      <Bars bars={bars} label={t("reports.report.scores")} />
    </Section>
  );
}

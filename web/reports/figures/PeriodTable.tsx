import { Table, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatDate, formatDuration, formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import classes from "#web/reports/figures/Report.module.css";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { FigureGroup } from "#shared/reports/reportFigures.ts";
import { periodBefore } from "#shared/reports/reportQueries.ts";
import type { Report } from "#shared/reports/reports.ts";

const rows = ["assignedIn", "startedIn", "completedIn", "onTimeIn", "activePeople", "activeSeconds"] as const;
const groups: Record<(typeof rows)[number], FigureGroup> = {
  assignedIn: "assignedIn",
  startedIn: "startedIn",
  completedIn: "completedIn",
  onTimeIn: "onTimeIn",
  activePeople: "activeIn",
  activeSeconds: "activeIn",
};

/** What happened in the period, beside the period of the same length before. */
export function PeriodTable({ report: { kind, figures, filters } }: { report: Report }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const { period, before } = figures;
  const shown = rows.filter((name) => name !== "activePeople" || kind !== "learner");
  const textOf = (name: (typeof rows)[number], one: typeof period) => {
    if (name === "activeSeconds") return formatDuration(one.activeSeconds);
    if (name === "onTimeIn")
      return t("reports.stats.of", { done: formatNumber(one.onTimeIn), all: formatNumber(one.dueIn) });
    return formatNumber(one[name]);
  };
  return (
    <Section
      title={t("reports.report.period")}
      side={t("web.time.span", { from: formatDate(filters.from), to: formatDate(filters.to) })}
    >
      <Table highlightOnHover={false} className={classes.period}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <span className="ly-hidden">{t("reports.report.figure")}</span>
            </Table.Th>
            <Table.Th ta="right">{t("reports.report.thisPeriod")}</Table.Th>
            <Table.Th ta="right">{t("reports.report.before")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((name) => {
            const group = groups[name];
            return (
              <Table.Tr key={name}>
                <Table.Td>
                  <Tooltip
                    label={t(`reports.report.definitions.${name}`)}
                    multiline
                    maw={300}
                    events={{ hover: true, focus: true, touch: true }}
                  >
                    <span tabIndex={0}>{t(`reports.report.figures.${name}`)}</span>
                  </Tooltip>
                </Table.Td>
                <Table.Td ta="right" className={classes.figure}>
                  <Link to={linkTo({ group })}>{textOf(name, period)}</Link>
                </Table.Td>
                <Table.Td ta="right" className={classes.figure} data-earlier>
                  <Link to={linkTo({ ...periodBefore(filters), group })}>{textOf(name, before)}</Link>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

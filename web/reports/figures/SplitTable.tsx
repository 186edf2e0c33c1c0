import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Num } from "#web/core/display/Num.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import classes from "#web/reports/figures/Report.module.css";
import { useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { FigureGroup, KindOfMany, Totals } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";
import { shareOf } from "#shared/core/percent.ts";

/** The parts of a bar, in order, and the statuses that they stand for. */
const parts = [
  ["completed", "completed"],
  ["open", "in_progress"],
  ["overdue", "overdue"],
  ["rest", "assigned"],
] as const;

/** The totals of each course of a company, or of each company of a course. */
export function SplitTable({ report: { figures, names }, kind }: { report: Report; kind: KindOfMany }) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const field = kind === "company" ? "courseId" : "companyId";
  const rows = figures.split
    .map((one) => ({ ...one, name: names[one.id] ?? "–" }))
    .toSorted((a, b) => b.overdue - a.overdue || a.name.localeCompare(b.name));
  const numbers = ["assigned", "completed", "overdue"] as const;
  return (
    <WideContent label={t("reports.report.split")}>
      <Table className={classes.split} highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`reports.report.columns.${kind === "company" ? "course" : "company"}`)}</Table.Th>
            <Table.Th>
              <span className={classes.legend}>
                {parts.map(([part, status]) => (
                  <span key={part}>
                    <i data-part={part} />
                    {part === "open" ? t("reports.report.startedOpen") : t(`courses.enrolment.${status}`)}
                  </span>
                ))}
              </span>
            </Table.Th>
            {numbers.map((name) => (
              <Table.Th key={name} ta="right">
                {t(`reports.report.figures.${name}`)}
              </Table.Th>
            ))}
            <Table.Th ta="right">{t("reports.report.figures.passed")}</Table.Th>
            <Table.Th ta="right">{t("reports.report.figures.meanScore")}</Table.Th>
            <Table.Th ta="right">{t("reports.report.figures.medianSeconds")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td className={classes.name}>
                <Link to={`/reports/${kind === "company" ? "course" : "company"}/${row.id}`}>{row.name}</Link>
              </Table.Td>
              <Table.Td>
                <ShareBar totals={row} />
              </Table.Td>
              {numbers.map((name) => (
                <Table.Td
                  key={name}
                  ta="right"
                  className={classes.figure}
                  data-bad={(name === "overdue" && row.overdue > 0) || undefined}
                >
                  {row[name] > 0 ? (
                    <Link to={linkTo({ [field]: row.id, group: name })}>
                      <Num value={row[name]} />
                    </Link>
                  ) : (
                    <Num value={0} />
                  )}
                </Table.Td>
              ))}
              {others(row).map(({ group, text }, n) => (
                <Table.Td key={n} ta="right" className={classes.figure}>
                  {text === null ? <Num value={null} /> : <Link to={linkTo({ [field]: row.id, group })}>{text}</Link>}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}

/** The figures of a row that are not counts, each with the assignments that it is computed from. */
const others = ({
  passed,
  failed,
  meanScore,
  medianSeconds,
}: Totals): { group: FigureGroup; text: string | null }[] => [
  { group: "passed", text: passed + failed > 0 ? formatPercent(shareOf(passed, passed + failed)) : null },
  { group: "scored", text: meanScore === null ? null : formatPercent(meanScore) },
  { group: "completed", text: medianSeconds === null ? null : formatDuration(medianSeconds) },
];

/** Completed, in progress and overdue as shares of what is assigned; the rest has not started. */
function ShareBar({ totals: { assigned, completed, overdue, started } }: { totals: Totals }) {
  const open = Math.max(0, Math.min(started - completed, assigned - completed - overdue));
  const parts = { completed, open, overdue, rest: assigned - completed - open - overdue };
  return (
    <span className={classes.share} aria-hidden>
      {Object.entries(parts).map(([name, count]) =>
        count > 0 ? <i key={name} data-part={name} style={{ flexGrow: count }} /> : null,
      )}
    </span>
  );
}

import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatDateIn, formatDue, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Column } from "#web/core/table/table.ts";
import classes from "#web/reports/figures/Report.module.css";
import { StateOnDay } from "#web/reports/figures/StateOnDay.tsx";
import { type ReportParams, useReportLink } from "#web/reports/figures/useReportLink.ts";
import type { ReportKind, Totals } from "#shared/reports/reportFigures.ts";
import { assignmentChanges } from "#shared/reports/reportQueries.ts";
import type { ChangedRow } from "#shared/reports/reportRows.ts";
import { type Report, reports } from "#shared/reports/reports.ts";

const counted = ["assigned", "started", "completed", "overdue", "passed"] as const;
const percents = ["meanScore"] as const;
type FigureName = (typeof counted)[number] | (typeof percents)[number];
const isScore = (name: FigureName): name is (typeof percents)[number] => (percents as readonly string[]).includes(name);

type Props = { id: string; kind: ReportKind; report: Report; query: ReportParams; since: string };

/** Changes between an earlier day and the day of the report: the totals of both, and the assignments that differ. */
export function ChangesSection({ id, kind, report, query, since }: Props) {
  const { t } = useTranslation();
  const { zone } = report.filters;
  const sent = { ...query, since };
  // The same query as the first page of the list, so that one request serves both.
  const { data } = useQuery(pagedQueryFor(reports.changes, { params: { id }, query: sent }));
  const isOne = kind === "learner";
  const nameOf = (row: ChangedRow) =>
    isOne ? (row.course ?? "–") : row.name || t("reports.report.erased", { number: row.person });
  const kindsOf = (row: ChangedRow) =>
    row.kinds.map((change) => t(`reports.report.changes.kinds.${change}`)).join(" · ");
  const others: Record<ReportKind, Column<ChangedRow>[]> = {
    course: [
      { key: "company", head: t("reports.report.columns.company"), render: (row) => row.company ?? "–", minor: true },
    ],
    company: [
      { key: "course", head: t("reports.report.columns.course"), render: (row) => row.course ?? "–", width: 220 },
    ],
    learner: [],
  };
  const columns: Column<ChangedRow>[] = [
    { key: "name", head: t(isOne ? "reports.report.columns.course" : "reports.report.changes.learner"), width: 210 },
    ...others[kind],
    {
      key: "kinds",
      head: t("reports.report.changes.kind"),
      render: (row) => <span className={classes.kinds}>{kindsOf(row)}</span>,
    },
    { key: "before", head: t("reports.report.changes.before"), render: (row) => <StateOnDay state={row.before} /> },
    { key: "after", head: t("reports.report.changes.after"), render: (row) => <StateOnDay state={row.after} /> },
  ];
  const dayOf = (at: string) => formatDateIn(new Date(Date.parse(at) - 1).toISOString(), zone);
  return (
    <Section title={t("reports.report.changes.title", { day: formatDue(since) })}>
      <p className={classes.note}>{t("reports.report.changes.text")}</p>
      {data && (
        <WideContent label={t("reports.report.changes.title", { day: formatDue(since) })}>
          <Table highlightOnHover={false} className={classes.period} maw={640} mb="lg">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("reports.report.changes.figure")}</Table.Th>
                <Table.Th ta="right">{dayOf(data.since)}</Table.Th>
                <Table.Th ta="right">{dayOf(data.asOf)}</Table.Th>
                <Table.Th ta="right">{t("reports.report.changes.difference")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...counted, ...percents].map((name) => (
                <FigureRow key={name} name={name} before={data.before} after={data.after} since={since} />
              ))}
            </Table.Tbody>
          </Table>
        </WideContent>
      )}
      <DataTable
        list={reports.changes}
        params={{ id }}
        query={sent}
        prefix="changes."
        search={t(isOne ? "reports.learner.search" : "reports.report.changes.search")}
        filters={[
          {
            key: "change",
            label: t("reports.report.changes.kind"),
            options: assignmentChanges.map((value) => ({
              value,
              label: `${t(`reports.report.changes.kinds.${value}`)} (${formatNumber(data?.counts[value] ?? 0)})`,
            })),
          },
        ]}
        columns={columns}
        rowKey={(row) => row.id}
        name={nameOf}
        {...(!isOne && {
          to: (row: ChangedRow) => (row.userId ? `/learners/report/${row.userId}` : null),
          mark: (row: ChangedRow) => <PersonMark name={nameOf(row)} size={28} />,
        })}
        phone={(row) => ({
          line: kindsOf(row),
          side: null,
          extra: <StateOnDay state={row.after} />,
        })}
        noun={t("reports.report.changes.noun")}
        empty={{
          title: t("reports.report.changes.none"),
          text: t("reports.report.changes.noneText", { day: formatDue(since) }),
        }}
      />
    </Section>
  );
}

type RowProps = { name: FigureName; before: Totals; after: Totals; since: string };

function FigureRow({ name, before, after, since }: RowProps) {
  const { t } = useTranslation();
  const linkTo = useReportLink();
  const group = isScore(name) ? "scored" : name;
  const isPercent = isScore(name);
  const [then, now] = [before[name], after[name]];
  const format = (value: number | null) => (isPercent || value === null ? formatPercent(value) : formatNumber(value));
  const difference = then === null || now === null ? null : now - then;
  const sign = difference !== null && difference > 0 ? "+" : "";
  return (
    <Table.Tr>
      <Table.Td>{t(`reports.report.figures.${name}`)}</Table.Td>
      <Table.Td ta="right" className={classes.figure} data-earlier>
        <Link to={linkTo({ asOf: since, group })}>{format(then)}</Link>
      </Table.Td>
      <Table.Td ta="right" className={classes.figure}>
        <Link to={linkTo({ group })}>{format(now)}</Link>
      </Table.Td>
      <Table.Td ta="right" fw={difference ? 600 : 400} c={difference ? undefined : "dimmed"}>
        {difference === null ? "–" : sign + formatNumber(difference, isPercent ? 1 : 0).replace("-", "−")}
      </Table.Td>
    </Table.Tr>
  );
}

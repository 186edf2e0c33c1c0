import { useTranslation } from "react-i18next";
import { DueDate } from "#web/courses/DueDate.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Num } from "#web/core/display/Num.tsx";
import classes from "#web/reports/figures/Report.module.css";
import { ReplayLink } from "#web/reports/ReplayLink.tsx";
import { replayPath } from "#web/core/format/replayPath.ts";
import { formatDue, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import type { Filter } from "#web/core/filter/filter.ts";
import type { Column } from "#web/core/table/table.ts";
import { PartColumns } from "#web/reports/figures/PartColumns.tsx";
import { weekNumber } from "#web/reports/weekNumber.ts";
import type { ReportParams } from "#web/reports/figures/useReportLink.ts";
import { figureGroups, type KindOfMany } from "#shared/reports/reportFigures.ts";
import type { ReportRow } from "#shared/reports/reportRows.ts";
import { type Report, reports } from "#shared/reports/reports.ts";

type Props = { id: string; kind: KindOfMany; report: Report; query: ReportParams };

/** The assignments counted by a figure; each links to the report of its learner and to the latest session. */
export function AssignmentList({ id, kind, report: { figures, parts }, query }: Props) {
  const { t } = useTranslation();
  const isCourse = kind === "course";
  const nameOf = (row: ReportRow) => row.name || row.email || t("reports.report.erased", { number: row.person });
  const statusOf = (row: ReportRow) => <EnrolmentStatus enrolment={row} />;
  const filters: Filter[] = [
    {
      key: "group",
      label: t("reports.report.group"),
      options: figureGroups.map((value) => ({ value, label: t(`reports.report.groups.${value}`) })),
    },
    ...(isCourse
      ? [
          {
            key: "stoppedAt",
            label: t("reports.report.stoppedAt"),
            options: [
              { value: "0", label: t("reports.report.noPart") },
              ...figures.parts.map(({ position }) => ({
                value: String(position),
                label: `${position} ${parts[position - 1] ?? ""}`,
              })),
            ],
          },
        ]
      : []),
    {
      key: "week",
      label: t("reports.report.week"),
      options: figures.weeks.map(({ week }) => ({
        value: week,
        label: t("reports.weekOf", { number: weekNumber(week), day: formatDue(week) }),
      })),
    },
    {
      key: "score",
      label: t("reports.courses.score"),
      options: figures.scores.map((_, n) => ({
        value: String(n * 10),
        label: t("reports.report.scoreRange", { from: n * 10, to: n === 9 ? 100 : n * 10 + 9 }),
      })),
    },
  ];
  const columns: Column<ReportRow>[] = [
    { key: "name", head: t("reports.report.columns.learner"), sort: true, width: 210 },
    isCourse
      ? { key: "company", head: t("reports.report.columns.company"), render: (row) => row.company ?? "–", minor: true }
      : {
          key: "course",
          head: t("reports.report.columns.course"),
          render: (row) => <span className={classes.course}>{row.course ?? "–"}</span>,
          width: 220,
        },
    ...(isCourse
      ? [
          {
            key: "parts",
            head: t("reports.report.parts"),
            render: (row: ReportRow) => <PartColumns row={row} titles={parts} />,
          },
        ]
      : []),
    { key: "status", head: t("reports.courses.status"), render: statusOf },
    {
      key: "scorePercent",
      head: t("reports.courses.score"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: (row) => (row.scorePercent === null ? <Num value={null} /> : formatPercent(row.scorePercent)),
    },
    {
      key: "attempts",
      head: t("reports.courses.attempts"),
      align: "right",
      minor: true,
      render: (row) => <Num value={row.attempts} />,
    },
    {
      key: "activeSeconds",
      head: t("reports.courses.active"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: (row) => (row.activeSeconds ? formatDuration(row.activeSeconds) : <Num value={null} />),
    },
    { key: "dueDate", head: t("reports.courses.due"), sort: true, render: (row) => <DueDate enrolment={row} /> },
    {
      key: "completedAt",
      head: t("reports.courses.completedOn"),
      sort: true,
      descendingFirst: true,
      minor: true,
      render: (row) => (row.completedAt ? formatDue(row.completedAt) : <Num value={null} />),
    },
    {
      key: "session",
      head: "",
      align: "right",
      render: (row) =>
        row.userId && row.sessionId ? (
          <ReplayLink to={replayPath(row.sessionId, row.t)} t={row.t} name={nameOf(row)} />
        ) : null,
    },
  ];
  return (
    <DataTable
      list={reports.rows}
      params={{ id }}
      query={query}
      search={t("reports.report.search")}
      filters={filters}
      sort="name"
      columns={columns}
      rowKey={(row) => row.id}
      name={nameOf}
      to={(row) => (row.userId ? `/learners/report/${row.userId}` : null)}
      mark={(row) => <PersonMark name={nameOf(row)} size={28} />}
      phone={(row) => ({
        line: isCourse ? row.company : row.course,
        side: row.scorePercent === null ? null : formatPercent(row.scorePercent),
        sideLine: row.dueDate ? <DueDate enrolment={row} /> : null,
        extra: statusOf(row),
      })}
      noun={t("reports.report.noun")}
      empty={{ title: t("reports.report.noRows") }}
    />
  );
}

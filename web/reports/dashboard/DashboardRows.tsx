import { CloseButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDue, formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { DueDate } from "#web/courses/DueDate.tsx";
import { EnrolmentStatus } from "#web/courses/EnrolmentStatus.tsx";
import type { DueRow } from "#shared/reports/dashboard.ts";
import { reports } from "#shared/reports/reports.ts";
import type { Reply } from "#shared/core/route.ts";

type CompletedRow = Reply<typeof reports.completed>["items"][number];
type ActiveRow = Reply<typeof reports.active>["items"][number];
type Props = { figure: string | null; days: number };

/** The rows counted by a figure of the dashboard, if the URL names one. */
export function DashboardRows({ figure, days }: Props) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  if (!isFigure(figure)) return null;
  const List = lists[figure];
  const close = () => setParams(params.get("days") ? { days: String(days) } : {}, { preventScrollReset: true });
  return (
    <div id="rows" style={{ marginBottom: 36, scrollMarginTop: 76 }}>
      <Section
        title={t(`reports.dashboard.rows.${figure}`, { days })}
        side={<CloseButton aria-label={t("reports.dashboard.rows.close")} onClick={close} />}
      >
        <List days={days} />
      </Section>
    </div>
  );
}

type Person = Pick<DueRow, "userId" | "name" | "email">;
function usePerson() {
  const { t } = useTranslation();
  const name = (row: Person) => row.name || row.email || t("reports.dashboard.rows.erased");
  return {
    name,
    to: (row: Person) => (row.userId ? `/learners/report/${row.userId}` : null),
    mark: (row: Person) => <PersonMark name={name(row)} size={28} />,
  };
}

function DueList({ days }: { days: number }) {
  const { t } = useTranslation();
  const person = usePerson();
  const resultOf = ({ onTime }: DueRow) => (
    <StatusDot tone={onTime ? "ok" : "bad"}>
      {t(`reports.dashboard.rows.results.${onTime ? "onTime" : "late"}`)}
    </StatusDot>
  );
  return (
    <DataTable<DueRow>
      {...person}
      list={reports.fellDue}
      query={{ days: String(days) }}
      prefix="rows."
      search={t("reports.dashboard.rows.search")}
      filters={[
        {
          key: "result",
          label: t("reports.dashboard.rows.result"),
          options: (["onTime", "late"] as const).map((value) => ({
            value,
            label: t(`reports.dashboard.rows.results.${value}`),
          })),
        },
      ]}
      columns={[
        { key: "name", head: t("reports.report.columns.learner"), width: 210 },
        { key: "company", head: t("reports.report.columns.company"), render: (row) => row.company, minor: true },
        { key: "course", head: t("reports.report.columns.course"), render: (row) => row.course, width: 240 },
        { key: "dueDate", head: t("reports.courses.due"), render: (row) => <DueDate enrolment={row} /> },
        { key: "status", head: t("reports.courses.status"), render: (row) => <EnrolmentStatus enrolment={row} /> },
        {
          key: "completedAt",
          head: t("reports.courses.completedOn"),
          render: (row) => (row.completedAt && !row.overdue ? formatDue(row.completedAt) : <Num value={null} />),
          minor: true,
        },
        { key: "onTime", head: t("reports.dashboard.rows.result"), render: resultOf },
      ]}
      rowKey={(row) => row.id}
      phone={(row) => ({ line: row.course, sideLine: <DueDate enrolment={row} />, extra: resultOf(row) })}
      noun={t("reports.dashboard.rows.dueNoun")}
      empty={{ title: t("reports.dashboard.rows.noneDue") }}
    />
  );
}

function CompletedList({ days }: { days: number }) {
  const { t } = useTranslation();
  const person = usePerson();
  const score = ({ scorePercent }: CompletedRow) =>
    scorePercent === null ? <Num value={null} /> : formatPercent(scorePercent);
  return (
    <DataTable<CompletedRow>
      {...person}
      list={reports.completed}
      query={{ days: String(days) }}
      prefix="rows."
      search={t("reports.dashboard.rows.search")}
      columns={[
        { key: "name", head: t("reports.report.columns.learner"), width: 240 },
        { key: "company", head: t("reports.report.columns.company"), render: (row) => row.company, minor: true },
        { key: "course", head: t("reports.report.columns.course"), render: (row) => row.course },
        { key: "status", head: t("reports.courses.status"), render: (row) => <EnrolmentStatus enrolment={row} /> },
        { key: "scorePercent", head: t("reports.courses.score"), align: "right", render: score },
        {
          key: "completedAt",
          head: t("reports.courses.completedOn"),
          render: (row) => <Time at={row.completedAt} />,
        },
      ]}
      rowKey={(row) => row.id}
      phone={(row) => ({
        line: row.course,
        side: score(row),
        sideLine: <Time at={row.completedAt} />,
        extra: <EnrolmentStatus enrolment={row} />,
      })}
      noun={t("reports.dashboard.rows.dueNoun")}
      empty={{ title: t("reports.dashboard.rows.noneCompleted") }}
    />
  );
}

function ActiveList({ days }: { days: number }) {
  const { t } = useTranslation();
  const person = usePerson();
  return (
    <DataTable<ActiveRow>
      {...person}
      list={reports.active}
      query={{ days: String(days) }}
      prefix="rows."
      search={t("reports.dashboard.rows.search")}
      columns={[
        { key: "name", head: t("reports.report.columns.learner"), width: 240 },
        { key: "company", head: t("reports.report.columns.company"), render: (row) => row.company ?? "–" },
        {
          key: "activeSeconds",
          head: t("reports.courses.active"),
          align: "right",
          render: (row) => formatDuration(row.activeSeconds),
        },
        {
          key: "sessions",
          head: t("reports.dashboard.rows.sessions"),
          align: "right",
          render: (row) => <Num value={row.sessions} />,
        },
        { key: "lastAt", head: t("reports.dashboard.rows.lastAt"), render: (row) => <Time at={row.lastAt} /> },
      ]}
      rowKey={(row) => row.id}
      phone={(row) => ({
        line: row.company,
        side: formatDuration(row.activeSeconds),
        sideLine: <Time at={row.lastAt} />,
      })}
      noun={t("reports.dashboard.rows.activeNoun")}
      empty={{ title: t("reports.dashboard.rows.noneActive") }}
    />
  );
}

/** The list of rows by figure. */
const lists = { due: DueList, completed: CompletedList, active: ActiveList };
const isFigure = (figure: string | null): figure is keyof typeof lists =>
  figure !== null && Object.hasOwn(lists, figure);

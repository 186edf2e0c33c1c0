import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { formatDuration, formatPercent } from "#web/core/format/format.ts";
import { Num } from "#web/core/display/Num.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import type { Column } from "#web/core/table/table.ts";
import { RowMenu } from "#web/core/table/TableGrid.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { LearnerBulkActions } from "#web/learners/LearnerBulkActions.tsx";
import { LearnerMenu } from "#web/learners/LearnerMenu.tsx";
import { LearnerStatus } from "#web/learners/LearnerStatus.tsx";
import classes from "#web/learners/LearnerTable.module.css";
import { exportLearners } from "#web/learners/exportLearners.ts";
import { useLearnerActions } from "#web/learners/useLearnerActions.tsx";
import { useLearnerFilters } from "#web/learners/useLearnerFilters.ts";
import { type Learner, learners } from "#shared/learners.ts";

type Props = {
  /** Shows only the learners of this company, without the company column. */
  companyId?: string;
  prefix?: string;
  empty: { title: string; text?: ReactNode; action?: ReactNode; hint?: ReactNode };
};

const nameOf = (row: Learner) => row.name || row.email;

/** Table of learners with status, progress, row menu and bulk actions. */
export function LearnerTable({ companyId, prefix = "", empty }: Props) {
  const { t } = useTranslation();
  const learnerActions = useLearnerActions();
  const filters = useLearnerFilters(companyId, prefix);
  const menu = (row: Learner) => <LearnerMenu learner={row} actions={learnerActions} companyPage={companyId} />;
  const progress = (row: Learner) =>
    row.assigned === 0 ? (
      <Num value={null} />
    ) : (
      <Num value={row.completed} of={t("learners.of", { count: row.assigned })} />
    );

  const columns: Column<Learner>[] = [
    {
      key: "name",
      head: t("learners.name"),
      sort: true,
      width: 220,
      render: (row) => (
        <>
          {nameOf(row)}
          {row.name && (
            <span className={classes.email}>
              <EmailAddress email={row.email} />
            </span>
          )}
        </>
      ),
    },
    ...(companyId
      ? []
      : [
          {
            key: "company",
            head: t("learners.company"),
            sort: true,
            render: (row: Learner) => (
              <span className={classes.clip} title={row.company}>
                {row.company}
              </span>
            ),
          },
        ]),
    { key: "status", head: t("learners.status"), render: (row) => <LearnerStatus learner={row} /> },
    {
      key: "completed",
      head: t("learners.completed"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: progress,
    },
    {
      key: "overdue",
      head: t("learners.overdue"),
      align: "right",
      sort: true,
      descendingFirst: true,
      render: (row) => <Num value={row.overdue} bad={row.overdue > 0} />,
    },
    {
      key: "meanScore",
      head: t("learners.meanScore"),
      align: "right",
      minor: true,
      render: (row) => (row.meanScore === null ? <Num value={null} /> : formatPercent(row.meanScore)),
    },
    {
      key: "activeTime",
      head: t("learners.activeTime"),
      align: "right",
      minor: true,
      render: (row) => (row.activeSeconds === 0 ? <Num value={null} /> : formatDuration(row.activeSeconds)),
    },
    {
      key: "lastActive",
      head: t("learners.lastActive"),
      sort: true,
      descendingFirst: true,
      render: (row) => <Time at={row.lastActive} />,
    },
  ];
  return (
    <>
      <DataTable
        list={learners.list}
        {...(companyId && { query: { companyId } })}
        {...(prefix && { prefix })}
        sort="name"
        filters={filters}
        search={companyId ? t("learners.searchWithin") : t("learners.search")}
        noun={t("learners.noun")}
        columns={columns}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/learners/report/${row.id}`}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        menu={menu}
        phone={(row) => ({
          line: companyId ? row.name && row.email : row.company,
          extra: row.status !== "active" && (
            <Text span size="sm">
              <LearnerStatus learner={row} />
            </Text>
          ),
          side: (
            <span className={classes.side}>
              {progress(row)}
              <RowMenu name={nameOf(row)}>{menu(row)}</RowMenu>
            </span>
          ),
          sideLine: row.overdue > 0 && (
            <span style={{ color: "var(--ly-bad)" }}>{t("learners.overdueCount", { count: row.overdue })}</span>
          ),
        })}
        actions={(rows, clear) => <LearnerBulkActions rows={rows} clear={clear} actions={learnerActions} />}
        onExport={async (query) => exportLearners(await fetchAllRows(learners.list, query))}
        empty={empty}
      />
      {learnerActions.dialogs}
    </>
  );
}

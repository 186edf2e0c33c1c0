import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBook, IconDownload, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddCompanyDialog } from "#web/companies/AddCompanyDialog.tsx";
import { CompanyMenu } from "#web/companies/CompanyMenu.tsx";
import { CompanyPill } from "#web/companies/CompanyPill.tsx";
import { exportCompanies } from "#web/companies/exportCompanies.ts";
import { useCompanyActions } from "#web/companies/useCompanyActions.ts";
import { queryFor } from "#web/core/api/api.ts";
import { CodeText } from "#web/core/display/CodeText.tsx";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { fetchAllRows } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { AssignDialog } from "#web/learners/AssignDialog.tsx";
import { canManageCompanies, companies, type CompanyRow, companyStatus } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { shareOf } from "#shared/core/percent.ts";

/** Above this number of overdue assignments, a company is highlighted. */
const MANY_OVERDUE = 10;
const icon = { size: 18, stroke: 1.7 };

export function CompaniesPage() {
  const { t } = useTranslation();
  const canManage = canManageCompanies(useUser());
  const companyActions = useCompanyActions();
  const [adding, { open, close }] = useDisclosure();
  const [assigning, { open: openAssign, close: closeAssign }] = useDisclosure();
  const [selection, setSelection] = useState<{ rows: CompanyRow[]; clear: () => void }>({ rows: [], clear: () => {} });
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const assign = (rows: CompanyRow[], clear: () => void) => {
    setSelection({ rows, clear });
    openAssign();
  };
  const hasManyOverdue = (row: CompanyRow) => row.overdue > MANY_OVERDUE;

  return (
    <>
      <PageHead
        title={t("companies.title")}
        line={t("companies.line")}
        actions={
          canManage && (
            <Button leftSection={<IconPlus {...icon} />} onClick={open}>
              {t("companies.add")}
            </Button>
          )
        }
      />
      <DataTable
        list={companies.list}
        sort="name"
        search={t("companies.search")}
        noun={t("companies.noun")}
        filters={[
          {
            key: "status",
            label: t("companies.status"),
            options: companyStatus.options.map((value) => ({ value, label: t(`companies.is.${value}`) })),
          },
          {
            key: "courseId",
            label: t("companies.course"),
            options: (allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        to={(row) => `/companies/${row.id}`}
        mark={(row) => <CompanyMark name={row.name} color={row.color} logo={row.logo} />}
        badge={(row) => <CompanyPill company={row} />}
        columns={[
          { key: "name", head: t("companies.company"), sort: true },
          { key: "accessCode", head: t("companies.code"), render: (row) => <CodeText code={row.accessCode} /> },
          {
            key: "learners",
            head: t("companies.learners"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Num value={row.learners} />,
          },
          {
            key: "seats",
            head: t("companies.seats"),
            align: "right",
            minor: true,
            render: (row) =>
              row.learnerLimit === null ? (
                <Num value={null} />
              ) : (
                <Num value={row.seats} of={t("companies.of", { limit: formatNumber(row.learnerLimit) })} />
              ),
          },
          {
            key: "courses",
            head: t("companies.courses"),
            align: "right",
            minor: true,
            render: (row) => <Num value={row.courses} />,
          },
          {
            key: "completed",
            head: t("companies.completed"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Meter percent={shareOf(row.completed, row.assigned)} />,
          },
          {
            key: "overdue",
            head: t("companies.overdue"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Num value={row.overdue} bad={hasManyOverdue(row)} strong />,
          },
          {
            key: "lastActivity",
            head: t("companies.lastActivity"),
            sort: true,
            descendingFirst: true,
            render: (row) => <Time at={row.lastActivity} />,
          },
        ]}
        phone={(row) => ({
          line: (
            <>
              <CodeText code={row.accessCode} />
              <br />
              {row.learnerLimit === null
                ? t("companies.learnerCount", { count: row.learners })
                : t("companies.learnersOf", {
                    count: row.learners,
                    taken: formatNumber(row.seats),
                    limit: formatNumber(row.learnerLimit),
                  })}
            </>
          ),
          side: formatPercent(shareOf(row.completed, row.assigned)),
          sideLine:
            row.overdue > 0 ? (
              <span style={hasManyOverdue(row) ? { color: "var(--ly-bad)" } : undefined}>
                {t("companies.overdueCount", { count: row.overdue })}
              </span>
            ) : (
              row.assigned > 0 && t("companies.completedWord")
            ),
        })}
        menu={(row) => <CompanyMenu company={row} actions={companyActions} />}
        actions={({ rows }, clear) => (
          <>
            <Button variant="default" fw={500} leftSection={<IconBook {...icon} />} onClick={() => assign(rows, clear)}>
              {t("companies.assign")}
            </Button>
            <Button
              variant="default"
              fw={500}
              leftSection={<IconDownload {...icon} />}
              onClick={() => exportCompanies(rows)}
            >
              {t("companies.export")}
            </Button>
          </>
        )}
        onExport={async (query) => exportCompanies(await fetchAllRows(companies.list, query))}
        empty={{
          title: t("companies.none"),
          text: t("companies.noneText"),
          hint: t("companies.noneHint"),
          action: (
            <Button variant="default" leftSection={<IconPlus {...icon} />} onClick={open}>
              {t("companies.add")}
            </Button>
          ),
        }}
      />
      <AddCompanyDialog opened={adding} onClose={close} />
      <AssignDialog
        opened={assigning}
        onClose={closeAssign}
        companies={selection.rows}
        onDone={selection.clear}
        title={t("companies.assignTo", { count: selection.rows.length })}
        text={t("companies.assignText", { count: selection.rows.reduce((sum, { learners }) => sum + learners, 0) })}
      />
    </>
  );
}

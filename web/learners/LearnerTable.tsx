import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { LearnerBulkActions } from "#web/learners/LearnerBulkActions.tsx";
import { LearnerMenu } from "#web/learners/LearnerMenu.tsx";
import { LearnerStatus } from "#web/learners/LearnerStatus.tsx";
import { downloadLearners } from "#web/learners/downloadLearners.ts";
import { learnerColumns, progressOf } from "#web/learners/learnerFields.tsx";
import { useLearnerActions } from "#web/learners/useLearnerActions.tsx";
import { useLearnerFilters } from "#web/learners/useLearnerFilters.ts";
import { NotShown } from "#web/measures/NotShown.tsx";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import { learners } from "#shared/learners/learners.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

type Props = {
  /** Shows only the learners of this company, without the company column. */
  companyId?: string;
  /** What this company shows to nobody but the learner. */
  hidden?: MeasuredKind[];
  prefix?: string;
  empty: { title: string; text?: ReactNode; action?: ReactNode; hint?: ReactNode };
};

/** Table of learners with status, progress, row menu and bulk actions. */
export function LearnerTable({ companyId, hidden = [], prefix = "", empty }: Props) {
  const { t } = useTranslation();
  const learnerActions = useLearnerActions();
  const { filters, fields } = useLearnerFilters(companyId, prefix);
  return (
    <>
      {companyId && <NotShown hidden={hidden} companyId={companyId} of={["scores", "activeTime", "lastActivity"]} />}
      <DataTable
        hasViews={!companyId}
        list={learners.list}
        {...(companyId && { query: { companyId } })}
        {...(prefix && { prefix })}
        sort="name"
        filters={filters}
        search={companyId ? t("learners.searchWithin") : t("learners.search")}
        noun={t("learners.noun")}
        columns={learnerColumns(companyId, fields, hidden)}
        rowKey={(row) => row.id}
        name={nameOf}
        to={(row) => `/learners/report/${row.id}`}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        menu={(row) => <LearnerMenu learner={row} actions={learnerActions} companyPage={companyId} />}
        phone={(row) => ({
          line: companyId ? row.name && contactOf(row) : row.company,
          extra: row.status !== "active" && (
            <Text span size="sm">
              <LearnerStatus learner={row} />
            </Text>
          ),
          side: progressOf(row),
          sideLine: row.overdue > 0 && (
            <span style={{ color: "var(--ly-bad)" }}>{t("learners.overdueCount", { count: row.overdue })}</span>
          ),
        })}
        selectsByFilter
        actions={(selection, clear) => (
          <LearnerBulkActions selection={selection} clear={clear} actions={learnerActions} />
        )}
        onExport={downloadLearners}
        empty={empty}
      />
      {learnerActions.dialogs}
    </>
  );
}

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import classes from "#web/rawData/DeleteVariables.module.css";
import { useRestore } from "#web/rawData/useRestore.ts";
import { type Deletion, rawData } from "#shared/rawData/rawData.ts";

const isRestorable = ({ restoredAt, purgedAt, restorableUntil }: Deletion) =>
  restoredAt === null && purgedAt === null && Date.parse(restorableUntil) > Date.now();

/** Earlier deletions, newest first; recent ones can be restored. Renders nothing without any. */
export function DeletionList() {
  const { t } = useTranslation();
  const { restore, isRestoring } = useRestore();
  const { data: newest } = useQuery(queryFor(rawData.listDeletions, { query: { size: 1 } }));
  const courseOf = (row: Deletion) => row.course || t("rawData.deletion.noCourse");
  const button = (row: Deletion) =>
    isRestorable(row) && (
      <Button
        size="compact-sm"
        variant="default"
        loading={isRestoring(row.id)}
        aria-label={t("rawData.deletion.restoreOf", { course: courseOf(row), day: formatDate(row.deletedAt) })}
        onClick={() => void restore(row)}
      >
        {t("rawData.deletion.restore")}
      </Button>
    );
  const stateOf = (row: Deletion) => {
    if (row.restoredAt !== null)
      return row.restoredBy
        ? t("rawData.deletion.restoredBy", { name: row.restoredBy })
        : t("rawData.deletion.restored");
    return isRestorable(row)
      ? t("rawData.deletion.until", { day: formatDate(row.restorableUntil) })
      : t("rawData.deletion.purged");
  };
  if (!newest || newest.total === 0) return null;
  return (
    <div className={classes.deletions}>
      <Section title={t("rawData.deletion.earlier")}>
        <DataTable
          list={rawData.listDeletions}
          prefix="d."
          noun={t("rawData.deletion.deletions")}
          rowKey={(row) => row.id}
          name={courseOf}
          columns={[
            { key: "course", head: t("rawData.course") },
            {
              key: "company",
              head: t("rawData.company"),
              minor: true,
              render: (row) => row.company || t("rawData.deletion.everyone"),
            },
            {
              key: "values",
              head: t("rawData.deletion.tileValues"),
              align: "right",
              render: (row) => <Num value={row.values} />,
            },
            { key: "when", head: t("rawData.deletion.when"), render: (row) => <Time at={row.deletedAt} /> },
            { key: "by", head: t("rawData.deletion.by"), minor: true, render: (row) => row.deletedBy },
            { key: "state", head: t("rawData.deletion.state"), render: stateOf },
            { key: "restore", head: "", align: "right", width: 90, render: button },
          ]}
          phone={(row) => ({
            line: stateOf(row),
            side: t("rawData.deletion.values", { count: row.values }),
            sideLine: <Time at={row.deletedAt} />,
            extra: button(row),
          })}
          empty={{ title: t("rawData.deletion.noDeletions") }}
        />
      </Section>
    </div>
  );
}

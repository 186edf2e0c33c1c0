import { Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Num } from "#web/core/display/Num.tsx";
import { formatDateTimeIn } from "#web/core/format/format.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { downloadMeasures } from "#web/measures/downloadMeasures.ts";
import classes from "#web/measures/MeasuresForm.module.css";
import { kindNames } from "#web/measures/kindNames.ts";
import { measuredKinds } from "#shared/core/measuredKinds.ts";
import { measures, type MeasuresVersion } from "#shared/measures/measures.ts";

/** Every version: since when, by whom, and what was not shown. */
export function MeasuresHistory({ companyId, zone }: { companyId: string; zone: string }) {
  const { t } = useTranslation();
  const hiddenIn = ({ choices }: MeasuresVersion) => {
    const hidden = measuredKinds.filter((kind) => choices[kind] === "nobody");
    return hidden.length > 0 ? kindNames(hidden) : t("measures.history.all");
  };
  const dayOf = ({ since }: MeasuresVersion) => since && formatDateTimeIn(since, zone);
  return (
    <DataTable
      list={measures.versions}
      params={{ id: companyId }}
      prefix="v."
      noun={t("measures.history.search")}
      rowKey={(row) => String(row.version)}
      name={(row) => String(row.version)}
      columns={[
        { key: "version", head: t("measures.history.version"), width: 100 },
        { key: "since", head: t("measures.history.day"), render: dayOf },
        { key: "by", head: t("measures.history.author"), render: (row) => row.by },
        {
          key: "choices",
          head: t("measures.history.choices"),
          render: (row) => <span className={classes.words}>{hiddenIn(row)}</span>,
        },
        {
          key: "group",
          head: t("measures.history.group"),
          align: "right",
          render: (row) => <Num value={row.choices.smallestGroup} />,
        },
        { key: "reason", head: t("measures.history.reason"), minor: true, render: (row) => row.reason },
      ]}
      phone={(row) => ({ line: hiddenIn(row), sideLine: dayOf(row) })}
      menu={(row) => (
        <Menu.Item
          leftSection={<IconDownload size={18} stroke={1.7} />}
          onClick={() => void downloadMeasures(companyId, row.version)}
        >
          {t("measures.history.pdf", { version: row.version })}
        </Menu.Item>
      )}
      empty={{ title: t("measures.history.none"), text: t("measures.history.noneText") }}
    />
  );
}

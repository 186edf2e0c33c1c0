import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import classes from "#web/connectors/connectors.module.css";
import { useCompanyChoices } from "#web/connectors/useCompanyChoices.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { BUILTIN_ID, callStatus, connectors, purpose, type UsageRow } from "#shared/connectors/connectors.ts";

const tones: Record<UsageRow["status"], Tone> = {
  running: "active",
  done: "ok",
  length: "warn",
  stopped: "idle",
  refused: "idle",
  cut: "bad",
  failed: "bad",
  lost: "bad",
};

/** Every call of a model with purpose, person, cost and outcome. */
export function CallsTab() {
  const { t } = useTranslation();
  const { data: list } = useQuery(queryFor(connectors.list));
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const companies = useCompanyChoices();
  const costOf = (row: UsageRow) => {
    if (row.connectorId === BUILTIN_ID) return <span className={classes.dim}>{t("connectors.free")}</span>;
    if (row.cost === null) return <span className={classes.dim}>{t("connectors.calls.unpriced")}</span>;
    return formatMoney(row.cost, spending?.currency ?? "EUR");
  };
  const result = (row: UsageRow) => (
    <span title={row.code ? t(`connectors.causes.${row.code}`) : undefined}>
      <StatusDot tone={tones[row.status]}>{t(`connectors.calls.statuses.${row.status}`)}</StatusDot>
    </span>
  );
  /** Audio is not counted in tokens. */
  const unitsOf = ({ purpose: what, inputTokens: count }: UsageRow) => {
    if (what === "transcription") return t("connectors.calls.audioSeconds", { count });
    return what === "speech" ? t("connectors.calls.characters", { count }) : null;
  };
  const wait = (ms: number | null) => (ms === null ? <Num value={null} /> : formatWait(ms, t));
  return (
    <DataTable
      list={connectors.usage}
      noun={t("connectors.calls.noun")}
      filters={[
        {
          key: "connectorId",
          label: t("connectors.calls.connector"),
          options: (list?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          key: "purpose",
          label: t("connectors.calls.purpose"),
          options: purpose.options.map((value) => ({ value, label: t(`connectors.calls.purposes.${value}`) })),
        },
        {
          key: "status",
          label: t("connectors.calls.status"),
          options: callStatus.options.map((value) => ({ value, label: t(`connectors.calls.statuses.${value}`) })),
        },
        { key: "companyId", label: t("connectors.calls.company"), options: companies },
      ]}
      rowKey={(row) => row.id}
      name={(row) => t(`connectors.calls.purposes.${row.purpose}`)}
      note={(row) => `${row.connector}, ${row.model}`}
      columns={[
        { key: "purpose", head: t("connectors.calls.purpose") },
        { key: "who", head: t("connectors.calls.who"), render: (row) => row.person ?? t("connectors.calls.system") },
        { key: "company", head: t("connectors.calls.company"), minor: true, render: (row) => row.company ?? "–" },
        { key: "status", head: t("connectors.calls.status"), render: result },
        {
          key: "tokens",
          head: t("connectors.calls.tokens"),
          align: "right",
          render: (row) =>
            unitsOf(row) ?? (
              <span title={t("connectors.calls.inOut", { input: row.inputTokens, output: row.outputTokens })}>
                {row.isEstimated && "≈ "}
                <Num value={row.inputTokens + row.outputTokens} />
              </span>
            ),
        },
        { key: "cost", head: t("connectors.calls.cost"), align: "right", render: costOf },
        {
          key: "firstWord",
          head: t("connectors.calls.firstWord"),
          align: "right",
          render: (row) => wait(row.firstTokenMs),
        },
        {
          key: "total",
          head: t("connectors.calls.total"),
          align: "right",
          minor: true,
          render: (row) => wait(row.totalMs),
        },
        { key: "at", head: t("connectors.calls.when"), render: (row) => <Time at={row.at} /> },
      ]}
      phone={(row) => ({
        line: `${row.connector}, ${row.model}`,
        side: costOf(row),
        sideLine: <Time at={row.at} />,
        extra: result(row),
      })}
      empty={{ title: t("connectors.calls.none"), text: t("connectors.calls.noneText") }}
    />
  );
}

import { Button, Switch } from "@mantine/core";
import { IconPlug } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import type { Filter } from "#web/core/filter/filter.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { StatementPanel } from "#web/statements/viewer/StatementPanel.tsx";
import classes from "#web/statements/viewer/statements.module.css";
import {
  actorText,
  objectText,
  resultParts,
  sourceText,
  toneOf,
  verbText,
} from "#web/statements/viewer/statementText.ts";
import type { StatementEntry } from "#shared/statements/statementEntries.ts";
import { statements } from "#shared/statements/statements.ts";

const PATH = "/admin/learner-data/statements";
const linkTo = (filters: Record<string, string>) => `${PATH}?${new URLSearchParams(filters)}`;
const LIVE_EVERY_MS = 3000;

/** The statements of the record store, newest first. */
export function StatementsPage() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<StatementEntry | null>(null);
  const [isLive, setLive] = useState(false);
  useLive(isLive);
  return (
    <>
      <PageHead
        title={t("statements.viewer.title")}
        line={t("statements.viewer.line")}
        parent={{ to: "/admin/learner-data", label: t("statements.viewer.parent") }}
        actions={
          <Button
            variant="default"
            component={Link}
            to="/admin/settings?tab=records"
            leftSection={<IconPlug size={18} stroke={1.6} />}
          >
            {t("statements.viewer.keys")}
          </Button>
        }
      />
      <DataTable
        list={statements.list}
        noun={t("statements.viewer.noun")}
        filters={useStatementFilters()}
        tools={
          <Switch
            label={t("statements.viewer.live")}
            labelPosition="left"
            checked={isLive}
            onChange={({ currentTarget }) => setLive(currentTarget.checked)}
          />
        }
        rowKey={({ position }) => String(position)}
        name={(entry) => actorText(entry, t)}
        mark={(entry) => <PersonMark name={actorText(entry, t)} size={28} />}
        badge={({ isVoided }) => isVoided && <Pill tone="bad">{t("statements.viewer.isVoided")}</Pill>}
        onOpen={setChosen}
        columns={[
          { key: "who", head: t("statements.viewer.who"), width: 220 },
          {
            key: "did",
            head: t("statements.viewer.did"),
            render: (entry) => <StatusDot tone={toneOf(entry)}>{verbText(entry, t)}</StatusDot>,
          },
          {
            key: "what",
            head: t("statements.viewer.what"),
            render: (entry) => <span className={classes.clip}>{objectText(entry, t)}</span>,
          },
          {
            key: "result",
            head: t("statements.viewer.result"),
            minor: true,
            render: (entry) => resultParts(entry, t).join(", ") || "–",
          },
          {
            key: "from",
            head: t("statements.viewer.from"),
            minor: true,
            render: (entry) => <span className={classes.clip}>{sourceText(entry, t)}</span>,
          },
          {
            key: "company",
            head: t("statements.viewer.company"),
            isOptional: true,
            render: ({ company }) => <span className={classes.clip}>{company}</span>,
          },
          {
            key: "stored",
            head: t("statements.viewer.stored"),
            render: ({ storedAt }) => <Time at={storedAt} focusable />,
          },
        ]}
        phone={(entry) => ({
          line: `${verbText(entry, t)} ${objectText(entry, t)}`,
          side: resultParts(entry, t)[0] ?? "",
          sideLine: <Time at={entry.storedAt} />,
        })}
        empty={{ title: t("statements.viewer.none"), text: t("statements.viewer.noneText") }}
      />
      {chosen && (
        <StatementPanel key={chosen.position} entry={chosen} linkTo={linkTo} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

/** Reloads the list every few seconds while the page is visible. */
function useLive(isLive: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: [statements.list.domain, statements.list.path] });
    }, LIVE_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLive, client]);
}

/** Filters of the toolbar. Those that only links set are shown while they are set. */
function useStatementFilters(): Filter[] {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const companies = useCompanies();
  const companyId = params.get("companyId") ?? "";
  const { data: verbs } = useQuery({
    ...queryFor(statements.verbs, { query: { companyId } }),
    enabled: companyId !== "",
  });
  const { data: keys } = useQuery(queryFor(statements.listClients, { query: { size: 200 } }));
  const linked = (key: string, label: string, option: string): Filter[] => {
    const value = params.get(key);
    return value ? [{ key, label, options: [{ value, label: option }] }] : [];
  };
  return [
    {
      key: "companyId",
      label: t("statements.viewer.company"),
      options: companies.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...(companyId || params.get("verb")
      ? [
          {
            key: "verb",
            label: t("statements.viewer.verb"),
            options: (verbs?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    {
      key: "clientId",
      label: t("statements.viewer.key"),
      options: (keys?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    ...linked("userId", t("statements.viewer.person"), t("statements.viewer.thisPerson")),
    ...linked("agentKey", t("statements.viewer.person"), t("statements.viewer.thisPerson")),
    ...linked("activity", t("statements.viewer.activity"), t("statements.viewer.thisActivity")),
    ...linked("sessionId", t("statements.viewer.session"), t("statements.viewer.thisSession")),
    { key: "from", label: t("statements.viewer.fromDay"), kind: "day", isRare: true },
    { key: "to", label: t("statements.viewer.toDay"), kind: "day", isRare: true },
    {
      key: "voided",
      isRare: true,
      label: t("statements.viewer.voidedFilter"),
      options: [
        { value: "yes", label: t("statements.viewer.voidedYes") },
        { value: "no", label: t("statements.viewer.voidedNo") },
      ],
    },
  ];
}

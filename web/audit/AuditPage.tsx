import { Button, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { actionText, detailsText } from "#web/audit/actionText.ts";
import classes from "#web/audit/Audit.module.css";
import { actorOf, sentenceText } from "#web/audit/auditSentence.ts";
import { AuditSentence } from "#web/audit/AuditSentence.tsx";
import { EntryTime } from "#web/audit/EntryTime.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import {
  accountAction,
  audit,
  auditAction,
  type AuditDetails,
  type AuditEntry,
  SHORT_LIVED_DAYS,
} from "#shared/audit/audit.ts";
import { companies } from "#shared/companies/companies.ts";

/** The sentence names the event already. */
const withoutEvent = ({ event: _, ...details }: AuditDetails) => details;
const isAccountAction = (action: string | null) => accountAction.safeParse(action).success;

/**
 * The audit log: who did what, to whom, and when. Logins are numerous, so they have a tab of their own; for a single
 * person all entries are shown together.
 */
export function AuditPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const personId = search.get("person") ?? undefined;
  const kind =
    search.get("kind") === "accounts" || isAccountAction(search.get("action")) ? "accounts" : "administration";
  const accounts = kind === "accounts" && !personId;
  const { data: companyList } = useQuery(queryFor(companies.choices));
  const personOf = (row: AuditEntry) =>
    row.person ?? (/^(learners|reports|privacy)\./.test(row.action) ? t("audit.erasedPerson") : "");
  const kindLine = accounts ? t("audit.accountsLine", { count: SHORT_LIVED_DAYS }) : t("audit.line");
  const actions = auditAction.options.filter((action) => personId || isAccountAction(action) === accounts);

  const save = async (query: Record<string, string>) => {
    saveCsv("audit-log", await fetchAllRows(audit.list, query), [
      [t("audit.when"), (row) => row.at],
      [t("audit.what"), sentenceText],
      [t("audit.action"), (row) => actionText(row.action)],
      [t("audit.who"), actorOf],
      [t("audit.person"), personOf],
      [t("audit.company"), (row) => row.company],
      [t("audit.course"), (row) => row.course],
      [t("audit.details"), (row) => detailsText(row.details)],
    ]);
  };
  return (
    <>
      <PageHead title={t("audit.title")} line={personId ? t("audit.personLine") : kindLine} />
      {!personId && (
        <Tabs value={kind} onChange={(next) => setSearch(next === "accounts" ? { kind: next } : {})}>
          <Tabs.List mb="md" aria-label={t("audit.kinds")}>
            <Tabs.Tab value="administration">{t("audit.administration")}</Tabs.Tab>
            <Tabs.Tab value="accounts">{t("audit.accounts")}</Tabs.Tab>
          </Tabs.List>
        </Tabs>
      )}
      <DataTable
        key={personId ? "person" : kind}
        list={audit.list}
        search={t("audit.search")}
        noun={t("audit.noun")}
        sort="-at"
        rowKey={(row) => row.id}
        name={sentenceText}
        query={{ personId, kind: personId ? undefined : kind }}
        onExport={save}
        tools={
          personId && (
            <Button variant="subtle" onClick={() => setSearch({})}>
              {t("audit.clearPerson")}
            </Button>
          )
        }
        filters={[
          {
            key: "action",
            label: t("audit.action"),
            options: actions.map((value) => ({ value, label: actionText(value) })),
          },
          {
            key: "companyId",
            label: t("audit.company"),
            options: (companyList?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "days",
            label: t("audit.period"),
            options: [
              { value: "1", label: t("audit.day") },
              ...[7, 30, 90, 365].map((count) => ({ value: String(count), label: t("audit.days", { count }) })),
            ],
          },
        ]}
        columns={[
          { key: "what", head: t("audit.what"), render: (row) => <AuditSentence entry={row} /> },
          {
            key: "details",
            head: t("audit.details"),
            minor: true,
            render: (row) => <span className={classes.details}>{detailsText(withoutEvent(row.details))}</span>,
          },
          {
            key: "at",
            head: t("audit.when"),
            sort: true,
            descendingFirst: true,
            width: 150,
            render: (row) => <EntryTime entry={row} />,
          },
        ]}
        phone={(row) => ({ line: detailsText(withoutEvent(row.details)), sideLine: <EntryTime entry={row} /> })}
        empty={accounts ? { title: t("audit.noneAccounts") } : { title: t("audit.none"), text: t("audit.noneText") }}
      />
    </>
  );
}

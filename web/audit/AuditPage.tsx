import { Button, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { actionText, detailsText } from "#web/audit/actionText.ts";
import { queryFor } from "#web/core/api/api.ts";
import { fetchAllRows, saveCsv } from "#web/core/table/csv.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { accountAction, audit, auditAction, type AuditEntry, NOBODY, SHORT_LIVED_DAYS } from "#shared/audit.ts";
import { companies } from "#shared/companies.ts";

const isAccountAction = (action: string | null) => accountAction.safeParse(action).success;

/**
 * The audit log: who did what, to whom, and when. Logins are numerous, so they have a tab of their own; for a single person
 * all entries are shown together.
 */
export function AuditPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const personId = search.get("person") ?? undefined;
  const kind =
    search.get("kind") === "accounts" || isAccountAction(search.get("action")) ? "accounts" : "administration";
  const accounts = kind === "accounts" && !personId;
  const { data: companyList } = useQuery(queryFor(companies.list, { query: { size: 200 } }));
  const actorOf = ({ actor, actorId, actorRole }: AuditEntry) => {
    if (actor !== null) return actor;
    if (actorRole === NOBODY) return t("audit.unknownPerson");
    return actorId ? "" : t("audit.erasedPerson");
  };
  const personOf = (row: AuditEntry) =>
    row.person ?? (/^(learners|reports|privacy)\./.test(row.action) ? t("audit.erasedPerson") : "");
  const kindLine = accounts ? t("audit.accountsLine", { count: SHORT_LIVED_DAYS }) : t("audit.line");
  const onlyPerson = (id: string | null) => setSearch(id ? { person: id } : {});
  const actions = auditAction.options.filter((action) => personId || isAccountAction(action) === accounts);

  const save = async (query: Record<string, string>) => {
    saveCsv("audit-log", await fetchAllRows(audit.list, query), [
      [t("audit.when"), (row) => row.at],
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
        name={(row) => actionText(row.action)}
        query={{ personId, kind: personId ? undefined : kind }}
        onExport={save}
        tools={
          personId && (
            <Button variant="subtle" onClick={() => onlyPerson(null)}>
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
          { key: "action", head: t("audit.action"), width: 210 },
          {
            key: "at",
            head: t("audit.when"),
            sort: true,
            descendingFirst: true,
            width: 130,
            render: (row) => <Time at={row.at} focusable />,
          },
          ...(accounts ? [] : [{ key: "actor", head: t("audit.who"), render: actorOf }]),
          {
            key: "person",
            head: t("audit.person"),
            render: (row) =>
              row.personId ? (
                <Button variant="transparent" p={0} h={24} fw={400} onClick={() => onlyPerson(row.personId)}>
                  {row.person}
                </Button>
              ) : (
                personOf(row)
              ),
          },
          { key: "company", head: t("audit.company"), render: (row) => row.company },
          ...(accounts
            ? []
            : [
                {
                  key: "course",
                  head: t("audit.course"),
                  minor: true,
                  render: (row: AuditEntry) => <span style={{ whiteSpace: "normal" }}>{row.course}</span>,
                },
              ]),
          {
            key: "details",
            head: t("audit.details"),
            minor: true,
            render: (row) => (
              <span
                style={{
                  color: "var(--mantine-color-dimmed)",
                  display: "block",
                  minWidth: 120,
                  maxWidth: 260,
                  whiteSpace: "normal",
                  overflowWrap: "anywhere",
                }}
              >
                {detailsText(row.details)}
              </span>
            ),
          },
        ]}
        phone={(row) => ({
          line: [personOf(row), row.company, row.course].filter(Boolean).join(", ") || detailsText(row.details),
          side: <Time at={row.at} />,
          sideLine: row.actorId === row.personId ? "" : actorOf(row),
          extra: isAccountAction(row.action) && (
            <span style={{ color: "var(--mantine-color-dimmed)", fontSize: 14.5 }}>{detailsText(row.details)}</span>
          ),
        })}
        empty={accounts ? { title: t("audit.noneAccounts") } : { title: t("audit.none"), text: t("audit.noneText") }}
      />
    </>
  );
}

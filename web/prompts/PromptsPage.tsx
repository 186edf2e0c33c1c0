import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconArrowRight, IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { NewPromptDialog } from "#web/prompts/NewPromptDialog.tsx";
import { PromptTabs } from "#web/prompts/PromptTabs.tsx";
import classes from "#web/prompts/prompts.module.css";
import { formatMoney } from "#web/connectors/amounts.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { promptPurpose, type PromptRow, prompts } from "#shared/prompts/prompts.ts";

const icon = { size: 18, stroke: 1.7 };
const SHOWN_KEYS = 2;

/** The library of prompts, with live version, variables, runs and results of test questions. */
export function PromptsPage() {
  const { t } = useTranslation();
  const [adding, add] = useDisclosure();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const setStatus = useApiMutation(prompts.setStatus);
  const addButton = (
    <Button leftSection={<IconPlus {...icon} />} onClick={add.open}>
      {t("prompts.add")}
    </Button>
  );
  const live = (row: PromptRow) => (
    <>
      <span className={row.live ? undefined : classes.dim}>
        {row.live ? t("prompts.versionNumber", { number: row.live.number }) : t("prompts.notLive")}
      </span>
      {row.draft.id !== row.live?.id && (
        <span className={classes.draft}>{t("prompts.draftOf", { number: row.draft.number })}</span>
      )}
    </>
  );
  const passed = ({ cases, passed: count }: PromptRow) => {
    if (cases === 0) return <Num value={null} />;
    const text = t("prompts.passedOf", { passed: count, cases });
    return count < cases ? <span className={classes.some}>{text}</span> : text;
  };
  return (
    <>
      <PageHead title={t("prompts.title")} line={t("prompts.line")} actions={addButton} />
      <PromptTabs current="/admin/prompts" />
      <DataTable
        list={prompts.list}
        sort="name"
        search={t("prompts.search")}
        noun={t("prompts.noun")}
        filters={[
          {
            key: "purpose",
            label: t("prompts.purpose"),
            options: promptPurpose.options.map((value) => ({ value, label: t(`prompts.purposes.${value}`) })),
          },
          {
            key: "status",
            label: t("prompts.status"),
            options: (["active", "archived"] as const).map((value) => ({ value, label: t(`prompts.is.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        to={(row) => `/admin/prompts/${row.id}`}
        note={(row) => <span className={classes.key}>{row.key}</span>}
        badge={(row) => row.status === "archived" && <Pill>{t("prompts.is.archived")}</Pill>}
        columns={[
          { key: "name", head: t("prompts.prompt"), sort: true },
          { key: "purpose", head: t("prompts.purpose"), render: (row) => t(`prompts.purposes.${row.purpose}`) },
          { key: "live", head: t("prompts.live"), render: live },
          {
            key: "keys",
            head: t("prompts.variables"),
            minor: true,
            render: (row) => (
              <span className={classes.chips}>
                {row.keys.slice(0, SHOWN_KEYS).map((key) => (
                  <code key={key} className={classes.chip}>
                    {key}
                  </code>
                ))}
                {row.keys.length > SHOWN_KEYS && (
                  <span className={classes.dim}>{t("prompts.moreKeys", { count: row.keys.length - SHOWN_KEYS })}</span>
                )}
              </span>
            ),
          },
          {
            key: "runs",
            head: t("prompts.runs"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => <Num value={row.runs} />,
          },
          { key: "cases", head: t("prompts.questions"), align: "right", render: passed },
          {
            key: "cost",
            head: t("prompts.perRun"),
            align: "right",
            minor: true,
            render: (row) =>
              row.runs === 0 || !spending ? <Num value={null} /> : formatMoney(row.cost / row.runs, spending.currency),
          },
          {
            key: "updatedAt",
            head: t("prompts.changed"),
            sort: true,
            descendingFirst: true,
            render: (row) => <Time at={row.updatedAt} />,
          },
        ]}
        phone={(row) => ({
          line: t(`prompts.purposes.${row.purpose}`),
          side: live(row),
          sideLine: passed(row),
        })}
        menu={(row) => (
          <>
            <Menu.Item component={Link} to={`/admin/prompts/${row.id}`} leftSection={<IconArrowRight {...icon} />}>
              {t("prompts.open")}
            </Menu.Item>
            {row.status === "archived" ? (
              <Menu.Item
                leftSection={<IconPlayerPlay {...icon} />}
                onClick={() => setStatus.mutate({ params: { id: row.id }, body: { status: "active" } })}
              >
                {t("prompts.restore")}
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconArchive {...icon} />}
                onClick={() => setStatus.mutate({ params: { id: row.id }, body: { status: "archived" } })}
              >
                {t("prompts.archive")}
              </Menu.Item>
            )}
          </>
        )}
        empty={{ title: t("prompts.none"), text: t("prompts.noneText"), action: addButton }}
      />
      {adding && <NewPromptDialog onClose={add.close} />}
    </>
  );
}

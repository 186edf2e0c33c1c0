import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ClusterPanel } from "#web/analysis/ClusterPanel.tsx";
import classes from "#web/analysis/analysis.module.css";
import { ClusterState } from "#web/analysis/ClusterState.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { accounts } from "#shared/auth/account.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { clusterStatus, type QuestionCluster, questionClusters } from "#shared/analysis/questionClusters.ts";

/** Questions that chatbots did not answer, most frequent first; the open one is in the URL. */
export function UnansweredTab() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const bots = useQuery(queryFor(chatbots.list, { query: { size: 200 } })).data?.items ?? [];
  const admins = useQuery(queryFor(accounts.admins)).data?.items ?? [];
  const opened = params.get("question");
  const open = (id: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (id) next.set("question", id);
        else next.delete("question");
        return next;
      },
      { preventScrollReset: true },
    );
  const state = (row: QuestionCluster) => <ClusterState status={row.status} />;
  return (
    <>
      <p className={classes.dim}>{t("analysis.unanswered.allTime")}</p>
      <DataTable
        list={questionClusters.list}
        search={t("analysis.unanswered.search")}
        noun={t("analysis.unanswered.noun")}
        sort="-times"
        filters={[
          {
            key: "status",
            label: t("analysis.unanswered.status"),
            unset: t("analysis.unanswered.unset"),
            options: [
              ...clusterStatus.options.map((value) => ({ value, label: t(`analysis.unanswered.is.${value}`) })),
              { value: "all", label: t("analysis.unanswered.all") },
            ],
          },
          {
            key: "chatbotId",
            label: t("analysis.analytics.chatbot"),
            options: bots.map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            key: "ownerId",
            label: t("analysis.unanswered.owner"),
            options: admins.map(({ id, name, email }) => ({ value: id, label: name || email })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.question || t("analysis.unanswered.deleted")}
        onOpen={(row) => open(row.id)}
        badge={(row) => row.reopenedAt && <Pill tone="warn">{t("analysis.unanswered.seenAgain")}</Pill>}
        columns={[
          { key: "question", head: t("analysis.unanswered.question") },
          {
            key: "times",
            head: t("analysis.unanswered.times"),
            align: "right",
            sort: true,
            descendingFirst: true,
            render: (row) => (
              <span title={t("analysis.unanswered.people", { count: row.people })}>
                <Num value={row.times} />
              </span>
            ),
          },
          {
            key: "lastAskedAt",
            head: t("analysis.unanswered.lastAsked"),
            sort: true,
            descendingFirst: true,
            render: (row) => <Time at={row.lastAskedAt} />,
          },
          { key: "chatbot", head: t("analysis.analytics.chatbot"), render: (row) => row.chatbot },
          {
            key: "owner",
            head: t("analysis.unanswered.owner"),
            minor: true,
            render: (row) => row.owner?.name ?? <Num value={null} />,
          },
          { key: "status", head: t("analysis.unanswered.status"), render: state },
        ]}
        phone={(row) => ({
          line: row.chatbot,
          side: <Num value={row.times} />,
          sideLine: <Time at={row.lastAskedAt} />,
          extra: state(row),
        })}
        empty={{ title: t("analysis.unanswered.none"), text: t("analysis.unanswered.noneText") }}
      />
      {opened && <ClusterPanel key={opened} id={opened} admins={admins} onClose={() => open(null)} />}
    </>
  );
}

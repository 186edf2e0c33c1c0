import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { RunDialog } from "#web/analysis/RunDialog.tsx";
import { RunState } from "#web/analysis/RunState.tsx";
import { RunView } from "#web/analysis/RunView.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { RelatedPages } from "#web/analysis/RelatedPages.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { analysisRuns } from "#shared/analysis/analysisRuns.ts";

/** Analyses of many conversations: the list, or one of them (`?run=`). */
export function RunsPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const id = params.get("run");
  const addButton = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("analysis.runs.new")}
    </Button>
  );
  return (
    <>
      {id ? (
        <Suspense fallback={<PageSkeleton />}>
          <RunView key={id} id={id} addButton={addButton} />
        </Suspense>
      ) : (
        <>
          <PageHead
            title={t("analysis.runs.title")}
            line={
              <>
                {t("analysis.runs.line")}
                <RelatedPages current="themes" />
              </>
            }
            actions={addButton}
          />
          <DataTable
            list={analysisRuns.list}
            search={t("analysis.runs.search")}
            noun={t("analysis.runs.noun")}
            rowKey={(row) => row.id}
            name={(row) => row.title}
            to={(row) => `/analysis/chatbot?run=${row.id}`}
            columns={[
              { key: "title", head: t("analysis.runs.name") },
              { key: "kind", head: t("analysis.runs.kind"), render: (row) => t(`analysis.runs.kinds.${row.kind}`) },
              {
                key: "chatbot",
                head: t("analysis.runs.chatbot"),
                minor: true,
                render: (row) => row.chatbot ?? t("analysis.runs.all"),
              },
              { key: "state", head: t("analysis.runs.state"), render: (row) => <RunState state={row.state} /> },
              {
                key: "conversations",
                head: t("analysis.runs.conversations"),
                align: "right",
                render: (row) => <Num value={row.conversations} />,
              },
              { key: "created", head: t("analysis.runs.created"), render: (row) => <Time at={row.createdAt} /> },
              { key: "by", head: t("analysis.runs.by"), minor: true, render: (row) => row.createdBy },
            ]}
            phone={(row) => ({
              line: t(`analysis.runs.kinds.${row.kind}`),
              side: <RunState state={row.state} />,
              sideLine: <Time at={row.createdAt} />,
            })}
            empty={{ title: t("analysis.runs.none"), text: t("analysis.runs.noneText"), action: addButton }}
          />
        </>
      )}
      {isAdding && <RunDialog onClose={() => setAdding(false)} />}
    </>
  );
}

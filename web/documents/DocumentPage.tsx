import { Button, Tabs } from "@mantine/core";
import { IconFileText, IconRefresh, IconUpload } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { EnterTextDialog } from "#web/documents/AddDialogs.tsx";
import { DocumentSettings } from "#web/documents/DocumentSettings.tsx";
import { OrdersNotice } from "#web/documents/OrdersNotice.tsx";
import { DocumentTrouble } from "#web/documents/DocumentTrouble.tsx";
import { languageName } from "#web/documents/languageName.ts";
import { PassagesTab } from "#web/documents/PassagesTab.tsx";
import { QuestionsTab } from "#web/documents/QuestionsTab.tsx";
import { UploadDocuments } from "#web/documents/UploadDocuments.tsx";
import { isWorking, useDocumentActions, useProgress } from "#web/documents/useDocumentActions.ts";
import { VersionsTab } from "#web/documents/VersionsTab.tsx";
import { VersionStateText } from "#web/documents/VersionStateText.tsx";
import { documents } from "#shared/documents/documents.ts";

const TABS = ["passages", "versions", "questions", "settings"] as const;

/** One document: passages and questions, versions, test questions and settings. */
export function DocumentPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: document } = useSuspenseQuery(queryFor(documents.get, { params: { id } }));
  const { data: questions } = useSuspenseQuery(queryFor(documents.testQuestions, { params: { id } }));
  const [params, setParams] = useSearchParams();
  const [dialog, setDialog] = useState<"upload" | "text" | null>(null);
  const actions = useDocumentActions();
  const working = isWorking(document);
  const { live, latest, vectors } = document;
  const lacksVectors = document.status === "active" && vectors !== null && vectors.made < vectors.of;
  useProgress(working || lacksVectors);
  const shown = live ?? latest;
  const tab = TABS.find((name) => name === params.get("tab")) ?? "passages";
  const counts: Record<(typeof TABS)[number], number | ""> = {
    passages: shown.passages,
    versions: document.versions.length,
    questions: questions.items.length,
    settings: "",
  };
  const facts = [
    document.folder,
    t("documents.detail.facts", {
      kind: t(`documents.kinds.${shown.kind}`),
      number: shown.number,
      day: formatDate(shown.createdAt),
    }),
    languageName(document.language ?? shown.language),
  ].filter(Boolean);
  const amount = t("documents.detail.counts", {
    count: shown.passages,
    pages: shown.pages > 0 ? t("documents.detail.pageCount", { count: shown.pages }) : "",
  });
  const isMade = vectors?.made === vectors?.of;
  const meaning = vectors ? t(isMade ? "documents.detail.byMeaning" : "documents.detail.vectorsMade", vectors) : "";
  return (
    <>
      <PageHead
        title={document.title}
        parent={{ to: "/admin/documents", label: t("documents.title") }}
        line={working ? <VersionStateText version={latest} /> : `${facts.join(", ")}. ${amount}. ${meaning}`.trim()}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to={`/admin/documents/${id}/versions/${shown.number}`}
              leftSection={<IconFileText size={18} stroke={1.7} />}
            >
              {t("documents.detail.openText")}
            </Button>
            <Button
              variant="default"
              disabled={working}
              leftSection={<IconRefresh size={18} stroke={1.7} />}
              onClick={() => void actions.indexAgain(document)}
            >
              {t("documents.menu.indexAgain")}
            </Button>
            {document.source !== "course" && (
              <Button leftSection={<IconUpload size={18} stroke={1.7} />} onClick={() => setDialog("upload")}>
                {t("documents.detail.uploadVersion", { number: latest.number + 1 })}
              </Button>
            )}
          </>
        }
      />
      <DocumentTrouble
        document={document}
        onReplace={() => setDialog("upload")}
        onEnterText={() => setDialog("text")}
      />
      <OrdersNotice document={document} />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "passages" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List
          mb="lg"
          mt={latest.state === "failed" || latest.state === "held" || document.orders > 0 ? "md" : 0}
          style={{ flexWrap: "nowrap", overflowX: "auto" }}
        >
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`documents.detail.tabs.${name}`)} {counts[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="passages">
          <PassagesTab document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsTab document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="questions">
          <QuestionsTab document={document} questions={questions.items} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <DocumentSettings key={document.version} document={document} />
        </Tabs.Panel>
      </Tabs>
      {dialog === "upload" && <UploadDocuments document={document} onClose={() => setDialog(null)} />}
      {dialog === "text" && <EnterTextDialog document={document} onClose={() => setDialog(null)} />}
    </>
  );
}

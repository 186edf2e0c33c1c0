import { Button, Pagination } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import certificateClasses from "#web/certificates/certificates.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { IssueDialog } from "#web/transcripts/IssueDialog.tsx";
import { ShareDialog } from "#web/transcripts/ShareDialog.tsx";
import { TranscriptCard } from "#web/transcripts/TranscriptCard.tsx";
import { ViewDialog } from "#web/transcripts/ViewDialog.tsx";
import { type Transcript, transcripts } from "#shared/transcripts/transcripts.ts";

const PAGE = 12;
type Opened = { kind: "issue" } | { kind: "view" | "share"; transcript: Transcript };

/** `/transcripts`: the transcripts of a learner. */
export function TranscriptsPage() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { data } = useSuspenseQuery(queryFor(transcripts.list, { query: { page, size: PAGE } }));
  const { items, total, completed } = data;
  const pages = Math.max(1, Math.ceil(total / PAGE));
  // The last one of a page was deleted.
  if (page > pages) setPage(pages);
  const close = () => setOpened(null);
  const issueButton = <Button onClick={() => setOpened({ kind: "issue" })}>{t("transcripts.issue")}</Button>;
  return (
    <>
      <PageHead
        title={t("transcripts.title")}
        line={t("transcripts.line")}
        parent={{ to: "/certificates", label: t("transcripts.backToCertificates") }}
        actions={total > 0 && completed > 0 && issueButton}
      />
      {total === 0 &&
        (completed === 0 ? (
          <EmptyState title={t("transcripts.nothing")} text={t("transcripts.nothingText")} />
        ) : (
          <EmptyState
            title={t("transcripts.none")}
            text={t("transcripts.noneText", { count: completed })}
            action={issueButton}
          />
        ))}
      {total > 0 && (
        <ul className={certificateClasses.cards}>
          {items.map((transcript) => (
            <TranscriptCard
              key={transcript.id}
              transcript={transcript}
              onView={() => setOpened({ kind: "view", transcript })}
              onShare={() => setOpened({ kind: "share", transcript })}
            />
          ))}
        </ul>
      )}
      {pages > 1 && <Pagination mt="lg" value={page} onChange={setPage} total={pages} />}
      {opened?.kind === "issue" && <IssueDialog completed={completed} onIssued={() => setPage(1)} onClose={close} />}
      {opened?.kind === "view" && <ViewDialog transcript={opened.transcript} onClose={close} />}
      {opened?.kind === "share" && <ShareDialog transcript={opened.transcript} onClose={close} />}
    </>
  );
}

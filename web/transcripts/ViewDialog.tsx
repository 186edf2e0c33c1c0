import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { TranscriptSheet } from "#web/transcripts/TranscriptSheet.tsx";
import { type Transcript, transcripts } from "#shared/transcripts/transcripts.ts";

/** A transcript as others see it by its link. */
export function ViewDialog({ transcript: { id, holder }, onClose }: { transcript: Transcript; onClose: () => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { data, error, refetch } = useQuery(queryFor(transcripts.get, { params: { id } }));
  return (
    <Dialog opened onClose={onClose} size={1080} fullScreen={isPhone} title={holder}>
      {data && <TranscriptSheet transcript={data} />}
      {!data && error && <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
    </Dialog>
  );
}

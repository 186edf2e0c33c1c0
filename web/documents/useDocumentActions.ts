import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { queriesOf, queryClient, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type DocumentRow, documents } from "#shared/documents/documents.ts";

/** Archives, restores, indexes and deletes documents. */
export function useDocumentActions() {
  const { t } = useTranslation();
  const archiving = useApiMutation(documents.archive, { quiet: true });
  const restoring = useApiMutation(documents.restore);
  const removing = useApiMutation(documents.remove, { quiet: true });
  const indexing = useApiMutation(documents.indexAgain);
  const restore = async ({ id, title }: DocumentRow) => {
    await restoring.mutateAsync({ params: { id } });
    toast.done(t("documents.archive.restored", { title }));
  };
  return {
    restore,
    indexAgain: async ({ id, title, latest }: DocumentRow) => {
      await indexing.mutateAsync({ params: { id, number: latest.number } });
      toast.done(t("documents.indexed", { title }));
    },
    archive: (document: DocumentRow) => {
      const { id, title } = document;
      confirm({
        title: t("documents.archive.title", { title }),
        text: t("documents.archive.text"),
        confirmLabel: t("documents.archive.verb"),
        cancelLabel: t("documents.archive.keep"),
        onConfirm: async () => {
          await archiving.mutateAsync({ params: { id } });
          toast.done(t("documents.archive.done", { title }), {
            action: { label: t("documents.archive.undo"), run: () => void restore(document) },
          });
        },
      });
    },
    remove: ({ id, title, latest }: DocumentRow, onRemoved?: () => void) =>
      confirm({
        title: t("documents.remove.title", { title }),
        text: t("documents.remove.text", { count: latest.number }),
        confirmLabel: t("documents.remove.verb"),
        cancelLabel: t("documents.remove.keep"),
        onConfirm: async () => {
          onRemoved?.();
          await removing.mutateAsync({ params: { id } });
          toast.done(t("documents.remove.done", { title }));
        },
      }),
  };
}

const REFRESH_MS = 1500;

/** Refetches documents while a version is in the pipeline. */
export function useProgress(isWorking: boolean) {
  useEffect(() => {
    if (!isWorking) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(queriesOf(documents.list)), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isWorking]);
}

/** True while a version is in the pipeline. */
export const isWorking = ({ latest }: DocumentRow) => !["ready", "held", "failed", "replaced"].includes(latest.state);

import { call, queryClient, queriesOf } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { i18n } from "#web/core/i18n.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import type { UploadDestination } from "#web/core/upload/uploads.ts";
import { documents } from "#shared/documents/documents.ts";

/** Folder and companies of new documents, or the document that gets a new version. */
export type DocumentTarget = { folder?: string; companyIds?: string[]; documentId?: string };
export const DOCUMENT_UPLOAD = "document";
export const documentSlot = (documentId?: string) => `${DOCUMENT_UPLOAD}:${documentId ?? "new"}`;
export const documentDestination = (target: DocumentTarget): UploadDestination => ({
  kind: DOCUMENT_UPLOAD,
  slot: documentSlot(target.documentId),
  purpose: "document",
  about: target,
});

/** Adds an uploaded file as a document or a version. Idempotent. */
export const uploadHandler: UploadHandler = {
  async finish({ fullPath, name, about }, signal) {
    const body = { path: fullPath, name, ...(about as DocumentTarget) };
    const added = await call(documents.create, { body }, signal);
    void queryClient.invalidateQueries(queriesOf(documents.list));
    return added;
  },
  announce(upload) {
    const { t } = i18n;
    const { documentId } = upload.about as DocumentTarget;
    const to = documentId ? `/admin/documents/${documentId}` : "/admin/documents";
    const action = { label: t("documents.uploading.show"), run: () => navigateTo(to) };
    if (upload.phase === "done") return toast.done(t("documents.uploading.added", { count: 1 }), { action });
    const title =
      upload.phase === "refused"
        ? t("documents.uploading.refused", { name: upload.name })
        : t("documents.uploading.failed", { name: upload.name });
    toast.failed(title, { text: messageOf(upload.error), action });
  },
};

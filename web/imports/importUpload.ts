import { call, queriesOf, queryClient } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { i18n } from "#web/core/i18n.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import type { Upload, UploadDestination } from "#web/core/upload/uploads.ts";
import type { ImportAbout } from "#shared/imports/importReasons.ts";
import { type ImportDetail, imports } from "#shared/imports/imports.ts";

type Target = { companyId: string; about: ImportAbout };
export const IMPORT_SLOT = "people";
export const importDestination = (companyId: string, about: ImportAbout): UploadDestination => ({
  kind: "people",
  slot: IMPORT_SLOT,
  purpose: "import",
  about: { companyId, about } satisfies Target,
});
export const importPath = (id: string) => `/learners/imports/${id}` as const;
/** The import of a finished upload. */
export const importOf = (upload: Upload) => upload.reply as ImportDetail;

/** Starts the import of an uploaded file. Idempotent. */
export const uploadHandler: UploadHandler = {
  async finish({ fullPath, name, about }, signal) {
    const target = about as Target;
    const added = await call(imports.create, { body: { path: fullPath, name, ...target } }, signal);
    void queryClient.invalidateQueries(queriesOf(imports.list));
    return added;
  },
  announce(upload) {
    const { t } = i18n;
    const { name } = upload;
    if (upload.phase === "done") {
      const action = { label: t("imports.uploading.show"), run: () => navigateTo(importPath(importOf(upload).id)) };
      return toast.done(t("imports.uploading.added", { name }), { action });
    }
    const title = upload.phase === "refused" ? "imports.uploading.refused" : "imports.uploading.failed";
    toast.failed(t(title, { name }), { text: messageOf(upload.error) });
  },
};

import { messageOf } from "#web/core/http/messages.ts";
import { i18n } from "#web/core/i18n.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import type { Upload, UploadDestination } from "#web/core/upload/uploads.ts";

type Target = { courseId: string };
export const LESSON_IMPORT_UPLOAD = "lessonImport";
export const importSlot = (courseId: string) => `${LESSON_IMPORT_UPLOAD}:${courseId}`;
export const importDestination = (courseId: string): UploadDestination => ({
  kind: LESSON_IMPORT_UPLOAD,
  slot: importSlot(courseId),
  purpose: "import",
  about: { courseId } satisfies Target,
});
/** The stored document of a finished upload. */
export const documentOf = (upload: Upload) => upload.reply as { path: string; name: string };

/** The dialog shows what the document would add, before anything of it is added. */
export const uploadHandler: UploadHandler = {
  finish: ({ fullPath, name }) => Promise.resolve({ path: fullPath, name }),
  announce(upload) {
    const { t } = i18n;
    const { courseId } = upload.about as Target;
    const { name } = upload;
    const action = {
      label: t("lessonDrafts.upload.show"),
      run: () => navigateTo(`/courses/${courseId}/edit`),
    };
    if (upload.phase === "done") return toast.done(t("lessonDrafts.import.uploaded", { name }), { action });
    toast.failed(t("lessonDrafts.upload.failed", { name }), { text: messageOf(upload.error), action });
  },
};

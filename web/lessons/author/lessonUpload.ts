import { call } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { i18n } from "#web/core/i18n.ts";
import { navigateTo } from "#web/core/layout/navigateTo.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { UploadHandler } from "#web/core/upload/uploadHandlers.ts";
import type { Upload, UploadDestination } from "#web/core/upload/uploads.ts";
import { drafts, type LessonFile } from "#shared/lessons/drafts.ts";

export type MediaTarget = { courseId: string; lessonId: string };
export const LESSON_UPLOAD = "lesson";
/** Each block has its own uploads; `part` sets captions apart from the video. */
export const mediaSlot = (blockId: string, part = "file") => `${LESSON_UPLOAD}:${blockId}:${part}`;
export const mediaDestination = (slot: string, about: MediaTarget): UploadDestination => ({
  kind: LESSON_UPLOAD,
  slot,
  purpose: "lesson",
  about,
});
export const fileOf = (upload: Upload) => upload.reply as LessonFile;

/** Adds an uploaded file to its lesson. Idempotent. */
export const uploadHandler: UploadHandler = {
  finish: ({ fullPath, name, about }, signal) =>
    call(drafts.addFile, { params: { id: (about as MediaTarget).lessonId }, body: { path: fullPath, name } }, signal),
  announce(upload) {
    const { t } = i18n;
    const { courseId, lessonId } = upload.about as MediaTarget;
    const action = {
      label: t("lessonDrafts.upload.show"),
      run: () => navigateTo(`/courses/${courseId}/edit?lesson=${lessonId}`),
    };
    if (upload.phase === "done") return toast.done(t("lessonDrafts.upload.done", { name: upload.name }), { action });
    toast.failed(t("lessonDrafts.upload.failed", { name: upload.name }), { text: messageOf(upload.error), action });
  },
};

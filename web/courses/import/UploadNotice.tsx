import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { UploadResult } from "#web/courses/import/UploadResult.tsx";
import { targetOf, noticeOf, PACKAGE_UPLOAD, slotOf } from "#web/courses/import/packageUpload.ts";
import classes from "#web/courses/import/Upload.module.css";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { UploadRow } from "#web/core/upload/UploadRow.tsx";
import { uploadList, useUploads, useWatched, useWatching } from "#web/core/upload/uploads.ts";

/** Running package uploads and their results while no dialog shows them: all, or those of one course. */
export function UploadNotice({ courseId }: { courseId?: string }) {
  const { t } = useTranslation();
  const watched = useWatched();
  useWatching(noticeOf(courseId ? slotOf(courseId) : PACKAGE_UPLOAD));
  const all = useUploads(courseId ? { slot: slotOf(courseId) } : { kind: PACKAGE_UPLOAD });
  const uploads = all.filter(({ slot }) => !watched.includes(slot));
  // Successful results are dismissed when the page is left; errors stay until they are closed.
  useEffect(
    () => () => {
      for (const { id, kind, slot, phase } of uploadList())
        if (kind === PACKAGE_UPLOAD && phase === "done" && (!courseId || slot === slotOf(courseId))) dismissUpload(id);
    },
    [courseId],
  );
  if (uploads.length === 0) return null;
  return (
    <section className={classes.notice} aria-label={t("courses.upload.notice")}>
      {uploads.map((upload) => {
        const about = courseId ? null : targetOf(upload);
        const purpose = about ? { purpose: t("courses.upload.newVersionOf", { title: about.title }) } : {};
        if (upload.phase === "done" || upload.phase === "refused")
          return <UploadResult key={upload.id} upload={upload} {...purpose} />;
        return (
          <UploadRow
            key={upload.id}
            upload={upload}
            accept={[".zip"]}
            finishing={t("courses.upload.checking")}
            {...purpose}
          />
        );
      })}
    </section>
  );
}

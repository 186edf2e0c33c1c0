import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outcome } from "#web/courses/Outcome.tsx";
import { aboutOf, noticeOf, PACKAGE, slotOf } from "#web/courses/import/packageUpload.ts";
import classes from "#web/courses/import/Upload.module.css";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { UploadRow } from "#web/core/upload/UploadRow.tsx";
import { uploadList, useUploads, useWatched, useWatching } from "#web/core/upload/uploads.ts";

/** Packages on their way, and what came of them, while no dialog shows them: all of them, or those of one course. */
export function UploadNotice({ courseId }: { courseId?: string }) {
  const { t } = useTranslation();
  const watched = useWatched();
  useWatching(noticeOf(courseId ? slotOf(courseId) : PACKAGE));
  const all = useUploads(courseId ? { slot: slotOf(courseId) } : { kind: PACKAGE });
  const uploads = all.filter(({ slot }) => !watched.includes(slot));
  // What came in well has been seen once the page is left; a refusal stays until somebody closes it.
  useEffect(
    () => () => {
      for (const { id, kind, slot, phase } of uploadList())
        if (kind === PACKAGE && phase === "done" && (!courseId || slot === slotOf(courseId))) dismissUpload(id);
    },
    [courseId],
  );
  if (uploads.length === 0) return null;
  return (
    <section className={classes.notice} aria-label={t("courses.upload.notice")}>
      {uploads.map((upload) => {
        const about = courseId ? null : aboutOf(upload);
        const purpose = about ? { purpose: t("courses.upload.newVersionOf", { title: about.title }) } : {};
        if (upload.phase === "done" || upload.phase === "refused")
          return <Outcome key={upload.id} upload={upload} {...purpose} />;
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

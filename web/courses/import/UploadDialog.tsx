import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { targetOf, courseOf, uploadPlaceFor, slotOf } from "#web/courses/import/packageUpload.ts";
import { UploadResult } from "#web/courses/import/UploadResult.tsx";
import classes from "#web/courses/import/Upload.module.css";
import { ImportResult } from "#web/courses/import/ImportResult.tsx";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { uploadList, useUploads, useWatching } from "#web/core/upload/uploads.ts";
import { MAX_PACKAGE_BYTES } from "#shared/courses/courses.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  /** The course that gets a new version; without it, new courses are created. */
  course?: { id: string; title: string };
};

/** Uploads packages and shows the results of their import. Uploads continue when it is closed. */
export function UploadDialog({ opened, onClose, course }: Props) {
  const { t } = useTranslation();
  const slot = slotOf(course?.id);
  const uploads = useUploads({ slot });
  const ended = uploads.filter(({ phase }) => phase === "done" || phase === "refused");
  const [only] = uploads;
  const imported = uploads.length === 1 && only?.phase === "done" ? only : null;
  // Earlier results have been announced by a toast and are not shown again.
  useEffect(() => {
    if (opened)
      for (const upload of uploadList()) if (upload.slot === slot && upload.phase === "done") dismissUpload(upload.id);
  }, [opened, slot]);
  const close = () => {
    onClose();
    for (const { id } of ended) dismissUpload(id);
  };
  let title = course ? t("courses.upload.versionTitle", { title: course.title }) : t("courses.upload.title");
  if (imported) title = t("courses.upload.imported");

  return (
    <Dialog opened={opened} onClose={close} title={title} size={560} closeOnClickOutside={false}>
      <WatchUploads slot={slot} />
      {imported ? (
        <ImportResult course={courseOf(imported)} isNew={targetOf(imported) === null} onClose={close} />
      ) : (
        <div className={classes.stack} data-many={!course || undefined}>
          {ended.map((upload) => (
            <UploadResult key={upload.id} upload={upload} onOpen={close} />
          ))}
          <FileDrop
            destination={uploadPlaceFor(course)}
            label={course ? t("courses.upload.label") : t("courses.upload.labels")}
            hint={t("courses.upload.hint")}
            accept={[".zip"]}
            maxBytes={MAX_PACKAGE_BYTES}
            multiple={!course}
            finishing={t("courses.upload.checking")}
          />
          {uploads.some(({ phase }) => !["done", "refused", "failed", "missing", "elsewhere"].includes(phase)) && (
            <p className={classes.hint}>{t("courses.upload.backgroundHint")}</p>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** While the dialog is open, no toasts are shown for its uploads. */
function WatchUploads({ slot }: { slot: string }) {
  useWatching(slot);
  return null;
}

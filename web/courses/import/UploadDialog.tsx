import { Modal } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { aboutOf, courseOf, placeOf, slotOf } from "#web/courses/import/packageUpload.ts";
import { Outcome } from "#web/courses/Outcome.tsx";
import classes from "#web/courses/import/Upload.module.css";
import { Verdict } from "#web/courses/import/Verdict.tsx";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { uploadList, useUploads, useWatching } from "#web/core/upload/uploads.ts";
import { MAX_PACKAGE_BYTES } from "#shared/courses.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  /** The course that gets a new version; without it new courses are made. */
  course?: { id: string; title: string };
};

/** Upload of packages, and what the importer has to say about them. Closing it stops nothing. */
export function UploadDialog({ opened, onClose, course }: Props) {
  const { t } = useTranslation();
  const slot = slotOf(course?.id);
  const uploads = useUploads({ slot });
  const ended = uploads.filter(({ phase }) => phase === "done" || phase === "refused");
  const [only] = uploads;
  const accepted = uploads.length === 1 && only?.phase === "done" ? only : null;
  // What came in before was told by a notice; who opens this wants to upload something else.
  useEffect(() => {
    if (opened) for (const one of uploadList()) if (one.slot === slot && one.phase === "done") dismissUpload(one.id);
  }, [opened, slot]);
  const close = () => {
    onClose();
    for (const { id } of ended) dismissUpload(id);
  };
  const title = accepted
    ? t("courses.upload.imported")
    : course
      ? t("courses.upload.versionTitle", { title: course.title })
      : t("courses.upload.title");

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={560}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <Watching slot={slot} />
      {accepted ? (
        <Verdict course={courseOf(accepted)} isNew={aboutOf(accepted) === null} onClose={close} />
      ) : (
        <div className={classes.stack} data-many={!course || undefined}>
          {ended.map((upload) => (
            <Outcome key={upload.id} upload={upload} onOpen={close} />
          ))}
          <FileDrop
            place={placeOf(course)}
            label={course ? t("courses.upload.label") : t("courses.upload.labels")}
            hint={t("courses.upload.hint")}
            accept={[".zip"]}
            maxBytes={MAX_PACKAGE_BYTES}
            multiple={!course}
            finishing={t("courses.upload.checking")}
          />
          {uploads.some(({ phase }) => !["done", "refused", "failed", "missing", "elsewhere"].includes(phase)) && (
            <p className={classes.goesOn}>{t("courses.upload.backgroundHint")}</p>
          )}
        </div>
      )}
    </Modal>
  );
}

/** While the dialog is open it tells everything itself. */
function Watching({ slot }: { slot: string }) {
  useWatching(slot);
  return null;
}

import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import type { ApiError } from "#web/core/http/http.ts";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { useUploads } from "#web/core/upload/uploads.ts";
import { ImportError } from "#web/packages/ImportError.tsx";
import {
  packageDestination,
  packageSlot,
  type PackageTarget,
} from "#web/lessons/author/packages/draftPackageUpload.ts";
import classes from "#web/lessons/author/packages/packages.module.css";
import { MAX_PACKAGE_BYTES } from "#shared/courses/courses.ts";

type Props = {
  opened: boolean;
  target: PackageTarget;
  onClose: () => void;
  /** The package is in the contents. */
  onAdded: (lessonId: string) => void;
};

/** Uploads a package into the contents of a course. It goes on when the dialog is closed. */
export function PackageDialog({ opened, target, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const isNew = !("replaces" in target);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(isNew ? "lessonDrafts.package.addTitle" : "lessonDrafts.package.replaceTitle")}
      size={560}
      closeOnClickOutside={false}
    >
      <p className={classes.lead}>{t(isNew ? "lessonDrafts.package.addLead" : "lessonDrafts.package.replaceLead")}</p>
      <Drop target={target} onAdded={onAdded} onClose={onClose} />
    </Dialog>
  );
}

function Drop({ target, onAdded, onClose }: Pick<Props, "target" | "onAdded" | "onClose">) {
  const { t } = useTranslation();
  const uploads = useUploads({ slot: packageSlot(target) });
  const done = uploads.find(({ phase }) => phase === "done");
  const refused = uploads.filter(({ phase }) => phase === "refused");
  const doneId = done?.id;
  useEffect(() => {
    if (doneId === undefined) return;
    dismissUpload(doneId);
    onAdded(target.id);
    onClose();
  }, [doneId, onAdded, onClose, target.id]);
  return (
    <>
      {refused.map(({ id, name, error }) => (
        <ImportError key={id} name={name} error={error as ApiError} onClose={() => dismissUpload(id)} />
      ))}
      <FileDrop
        destination={packageDestination(target)}
        label={t("courses.upload.label")}
        hint={t("courses.upload.hint")}
        accept={[".zip"]}
        maxBytes={MAX_PACKAGE_BYTES}
        finishing={t("courses.upload.checking")}
      />
    </>
  );
}

import { CloseButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { targetOf, courseOf, coursePathOf } from "#web/courses/import/packageUpload.ts";
import { ImportError } from "#web/packages/ImportError.tsx";
import classes from "#web/courses/import/Upload.module.css";
import type { ApiError } from "#web/core/http/http.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import type { Upload } from "#web/core/upload/uploads.ts";

type Props = {
  upload: Upload;
  /** What the upload was for: `new version of “Lockout”`. */
  purpose?: string;
  onOpen?: () => void;
};

/** The result of an upload in short: the course with its warnings, or why the package was rejected. */
export function UploadResult({ upload, purpose, onOpen }: Props) {
  const { t } = useTranslation();
  const dismiss = () => dismissUpload(upload.id);
  if (upload.phase === "refused")
    return (
      <ImportError
        name={upload.name}
        error={upload.error as ApiError}
        onClose={dismiss}
        {...(purpose && { purpose })}
      />
    );
  const course = courseOf(upload);
  const version = course.versions[0];
  if (!version) return null;
  const facts = [
    t(`courses.kinds.${version.kind}`),
    t("courses.parts", { count: version.parts }),
    ...(version.warnings.length > 0 ? [t("courses.warnings", { count: version.warnings.length })] : []),
  ];
  return (
    <div className={classes.result} role="status">
      <span className={classes.cover}>
        <Cover code={course.code} tile />
      </span>
      <div className={classes.words}>
        <p className={classes.title}>
          {t("courses.upload.importedTitle", { title: targetOf(upload) ? course.title : version.title })}
        </p>
        <p className={classes.facts}>
          {targetOf(upload)
            ? [t("courses.version", { number: version.number }), ...facts].join(", ")
            : facts.join(", ")}
        </p>
      </div>
      <Link to={coursePathOf(upload)} onClick={onOpen ?? dismiss} className={classes.link}>
        {targetOf(upload) ? t("courses.upload.openVersions") : t("courses.upload.openCourse")}
      </Link>
      <CloseButton size="sm" aria-label={t("courses.upload.closeNotice", { name: upload.name })} onClick={dismiss} />
    </div>
  );
}

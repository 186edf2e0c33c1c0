import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import classes from "#web/documents/documents.module.css";
import type { FailureCode } from "#shared/documents/documentVersions.ts";
import { type DocumentRow, documents } from "#shared/documents/documents.ts";

type Props = { document: DocumentRow; onReplace: () => void; onEnterText: () => void };

/** Why the newest version is not live, and what to do; renders nothing if it is. */
export function DocumentTrouble({ document, onReplace, onEnterText }: Props) {
  const { t } = useTranslation();
  const again = useApiMutation(documents.indexAgain);
  const publish = useApiMutation(documents.publish);
  const { latest, live, id } = document;
  const params = { id, number: latest.number };
  if (latest.state === "held")
    return (
      <div className={classes.trouble} data-tone="warn">
        <IconAlertCircle size={18} stroke={1.7} aria-hidden />
        <p>{t("documents.held", { number: latest.number, live: live?.number ?? 0 })}</p>
        <Button size="compact-sm" variant="default" component={Link} to={`/admin/documents/${id}?tab=questions`}>
          {t("documents.seeQuestions")}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={publish.isPending}
          onClick={() => void publish.mutateAsync({ params })}
        >
          {t("documents.versions.makeLive")}
        </Button>
      </div>
    );
  if (latest.state !== "failed" || !latest.code) return null;
  // Its versions are those of the course.
  const isCourse = document.source === "course";
  const canRetry = ["unreachable", "crashed", "parserCrash", "parserTimeout", "parserMemory"].includes(latest.code);
  return (
    <div className={classes.trouble}>
      <IconAlertCircle size={18} stroke={1.7} aria-hidden />
      <p>{failureOf(document, latest.code, t)}</p>
      {canRetry && (
        <Button
          size="compact-sm"
          variant="default"
          loading={again.isPending}
          onClick={() => void again.mutateAsync({ params })}
        >
          {t("documents.retry")}
        </Button>
      )}
      {!canRetry && !isCourse && (
        <Button size="compact-sm" variant="default" onClick={onReplace}>
          {t(latest.code === "refusedAddress" ? "documents.uploadFile" : "documents.replaceFile")}
        </Button>
      )}
      {!isCourse && (
        <Button size="compact-sm" variant="subtle" onClick={onEnterText}>
          {t("documents.enterText")}
        </Button>
      )}
    </div>
  );
}

const courseFailures = ["noText", "fileMissing", "parserTimeout", "tooLong"] as const;
const isOfCourse = (code: FailureCode): code is (typeof courseFailures)[number] =>
  courseFailures.some((one) => one === code);

function failureOf({ source, latest }: DocumentRow, code: FailureCode, t: TFunction) {
  if (source === "course" && isOfCourse(code)) return t(`documents.courseFailures.${code}`);
  return code === "damaged" && latest.page
    ? t("documents.failures.damagedPage", { page: latest.page })
    : t(`documents.failures.${code}`);
}

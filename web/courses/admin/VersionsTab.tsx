import { Button, Group } from "@mantine/core";
import { IconHelpCircle, IconHistory, IconPencil, IconUpload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/courses/admin/VersionsTab.module.css";
import { WarningList } from "#web/packages/WarningList.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatBytes, formatDate } from "#web/core/format/format.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type CourseDetail, type CourseVersion, courses } from "#shared/courses/courses.ts";
import { isWrittenHere } from "#shared/courses/completionRules.ts";

/** All versions of a course, newest first; one of them is live. */
export function VersionsTab({ course, onUpload }: { course: CourseDetail; onUpload: () => void }) {
  const { t } = useTranslation();
  const isWritten = isWrittenHere(course.kind);
  const setLive = useApiMutation(courses.setLive, { quiet: true });
  const makeLive = ({ id, number }: CourseVersion) =>
    confirm({
      title: t("courses.versions.liveTitle", { number }),
      text: `${t("courses.versions.liveText")} ${t("courses.versions.stay", { count: course.inProgress })}`,
      confirmLabel: t("courses.versions.makeLive", { number }),
      cancelLabel: t("courses.versions.keep"),
      onConfirm: async () => {
        await setLive.mutateAsync({ params: { id: course.id }, body: { versionId: id, version: course.version } });
        toast.done(t("courses.versions.isLive", { number }));
      },
    });
  return (
    <Section
      title={t("courses.versions.title")}
      side={
        isWritten ? (
          <Group gap={8}>
            {course.versions.length > 0 && (
              <>
                <Button
                  variant="default"
                  component={Link}
                  to={`/courses/${course.id}/unclear`}
                  leftSection={<IconHelpCircle size={18} stroke={1.7} />}
                >
                  {t("unclearMarks.title")}
                </Button>
                <Button
                  variant="default"
                  component={Link}
                  to={`/courses/${course.id}/versions`}
                  leftSection={<IconHistory size={18} stroke={1.7} />}
                >
                  {t("lessonVersions.compare")}
                </Button>
              </>
            )}
            <Button
              variant="default"
              component={Link}
              to={`/courses/${course.id}/edit`}
              leftSection={<IconPencil size={18} stroke={1.7} />}
            >
              {t("courses.edit")}
            </Button>
          </Group>
        ) : (
          <Button variant="default" leftSection={<IconUpload size={18} stroke={1.7} />} onClick={onUpload}>
            {t("courses.upload.newVersion")}
          </Button>
        )
      }
    >
      <p className={classes.lead}>
        {isWritten && course.versions.length === 0 ? t("courses.versions.none") : t("courses.versions.lead")}
      </p>
      <ol className={classes.versions}>
        {course.versions.map((version) => (
          <li key={version.id}>
            <span className={classes.number}>{version.number}</span>
            <div className={classes.words}>
              <p className={classes.title}>
                {version.title}
                {version.live && <Pill tone="ok">{t("courses.versions.live")}</Pill>}
              </p>
              <p className={classes.facts}>
                {!isWritten && `${version.fileName}, ${formatBytes(version.bytes)}, `}
                {t("courses.parts", { count: version.parts })}
                {(!isWritten || version.files > 0) && `, ${t("courses.versions.files", { count: version.files })}`}
              </p>
              <p className={classes.facts}>
                {version.createdBy
                  ? t("courses.versions.by", { name: version.createdBy, day: formatDate(version.createdAt) })
                  : t("courses.versions.on", { day: formatDate(version.createdAt) })}
                {", "}
                {t("courses.versions.attempts", { count: version.attempts })}
              </p>
              {version.warnings.length > 0 && (
                <details className={classes.details}>
                  <summary>{t("courses.warnings", { count: version.warnings.length })}</summary>
                  <WarningList warnings={version.warnings} />
                </details>
              )}
            </div>
            <Group gap={8} wrap="nowrap">
              {!isWrittenHere(version.kind) && (
                <Button
                  variant="default"
                  size="xs"
                  component={Link}
                  to={`/courses/${course.id}/packages/${version.id}/check`}
                  aria-label={t("packageChecks.openOf", { number: version.number })}
                >
                  {t("packageChecks.open")}
                </Button>
              )}
              {!version.live && (
                <Button variant="default" size="xs" onClick={() => makeLive(version)}>
                  {t("courses.versions.action")}
                  <span className="ly-hidden"> {t("courses.version", { number: version.number })}</span>
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ol>
    </Section>
  );
}

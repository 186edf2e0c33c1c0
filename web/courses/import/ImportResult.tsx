import { Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { WarningList } from "#web/packages/WarningList.tsx";
import classes from "#web/courses/import/ImportResult.module.css";
import { Cover } from "#web/core/brand/Cover.tsx";
import { formatBytes } from "#web/core/format/format.ts";
import type { CourseDetail } from "#shared/courses/courses.ts";

type Props = { course: CourseDetail; isNew: boolean; onClose: () => void };

/** The result of an import: title, kind, parts and warnings. */
export function ImportResult({ course, isNew, onClose }: Props) {
  const { t } = useTranslation();
  const version = course.versions[0];
  if (!version) return null;
  const { warnings, number, live } = version;
  let nextStep = t("courses.upload.nextNew");
  if (!isNew) nextStep = live ? t("courses.upload.nextLive") : t("courses.upload.nextVersion", { number });
  return (
    <div role="status">
      <div className={classes.course}>
        <div className={classes.cover}>
          <Cover code={course.code} />
        </div>
        <div>
          <p className={classes.title}>{version.title}</p>
          <p className={classes.facts}>
            {[
              t(`courses.kinds.${version.kind}`),
              t("courses.parts", { count: version.parts }),
              t("courses.version", { number }),
              formatBytes(version.bytes),
            ].join(", ")}
          </p>
        </div>
      </div>
      {warnings.length > 0 ? (
        <div className={classes.callout}>
          <p className={classes.calloutTitle}>
            <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
            {t("courses.upload.warnings", { count: warnings.length })}
          </p>
          <WarningList warnings={warnings} />
        </div>
      ) : (
        <p className={classes.success}>
          <IconCircleCheck size={18} stroke={1.7} aria-hidden />
          {t("courses.upload.noWarnings")}
        </p>
      )}
      <p className={classes.next}>{nextStep}</p>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="default"
          component={Link}
          to={`/courses/${course.id}/packages/${version.id}/check`}
          onClick={onClose}
        >
          {t("courses.upload.check")}
        </Button>
        {isNew ? (
          <Button component={Link} to={`/courses/${course.id}`} onClick={onClose} data-autofocus>
            {t("courses.upload.openCourse")}
          </Button>
        ) : (
          <Button component={Link} to={`/courses/${course.id}?tab=versions`} onClick={onClose} data-autofocus>
            {t("courses.upload.openVersions")}
          </Button>
        )}
      </Group>
    </div>
  );
}

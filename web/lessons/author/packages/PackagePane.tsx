import { Button } from "@mantine/core";
import { IconPackage } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "#web/core/format/format.ts";
import { WarningList } from "#web/packages/WarningList.tsx";
import { PackageDialog } from "#web/lessons/author/packages/PackageDialog.tsx";
import classes from "#web/lessons/author/packages/packages.module.css";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";

type Props = { draft: CourseDraft; lesson: DraftLesson & { packageId: string } };

/** A package in the place of a lesson: what it is, what the importer noticed, and how it is replaced. */
export function PackagePane({ draft, lesson }: Props) {
  const { t } = useTranslation();
  const [isReplacing, setReplacing] = useState(false);
  const shown = draft.packages.find(({ id }) => id === lesson.packageId);
  return (
    <section className={classes.pane} aria-label={lesson.title}>
      <div className={classes.head}>
        <IconPackage size={30} stroke={1.4} aria-hidden className={classes.icon} />
        <div className={classes.names}>
          <h2 className={classes.title}>{lesson.title}</h2>
          {shown && (
            <>
              <p className={classes.facts}>
                {[
                  t(`courses.kinds.${shown.kind}`),
                  t("courses.parts", { count: shown.parts }),
                  formatBytes(shown.bytes),
                ].join(" · ")}
              </p>
              <p className={classes.facts}>{shown.fileName}</p>
            </>
          )}
        </div>
        <Button variant="default" onClick={() => setReplacing(true)}>
          {t("lessonDrafts.package.replace")}
        </Button>
      </div>
      <p className={classes.lead}>{t("lessonDrafts.package.explained")}</p>
      {shown && shown.warnings.length > 0 && (
        <>
          <h3 className={classes.heading}>{t("courses.warnings", { count: shown.warnings.length })}</h3>
          <WarningList warnings={shown.warnings.map(({ sentence }) => sentence)} />
        </>
      )}
      <PackageDialog
        opened={isReplacing}
        target={{ courseId: draft.id, id: lesson.id, replaces: true }}
        onClose={() => setReplacing(false)}
        onAdded={() => {}}
      />
    </section>
  );
}

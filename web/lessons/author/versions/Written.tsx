import { Button } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatDate } from "#web/core/format/format.ts";
import { useUndoRestore } from "#web/lessons/author/versions/useRestore.ts";
import classes from "#web/lessons/author/versions/versions.module.css";
import type { CourseHistory, Side, Writer } from "#shared/lessons/versions/versions.ts";

/** Who published a version and who wrote for it; of the draft, who wrote since the last version. */
export function Written({ history, side }: { history: CourseHistory; side: Side }) {
  const { t } = useTranslation();
  const version = history.versions.find(({ number }) => number === side);
  const before = history.versions.find(({ number }) => version && number < version.number);
  const writers = version ? version.writers : history.writers;
  const start = (version ? before : history.versions[0])?.at;
  // Courses that existed before authors were stored.
  const isUnknown = start !== undefined && start < history.writersSince;
  const isOld = version !== undefined && version.at < history.writersSince;
  return (
    <p className={classes.written}>
      {!version && t("lessonVersions.unpublished")}
      {version?.by && t("lessonVersions.published", { name: version.by, day: formatDate(version.at) })}
      {version && !version.by && t("lessonVersions.publishedErased", { day: formatDate(version.at) })}{" "}
      {writers.length > 0 && t("lessonVersions.writers", { names: namesOf(writers, t) })}
      {writers.length === 0 &&
        !version &&
        t("lessonVersions.noWriters", { number: history.versions[0]?.number ?? 0 })}{" "}
      {(isUnknown || isOld) && t("lessonVersions.writersUnknown", { day: formatDate(history.writersSince) })}
    </p>
  );
}

function namesOf(writers: Writer[], t: TFunction) {
  const names = [...new Set(writers.flatMap(({ name }) => name ?? []))];
  const erased = writers.filter(({ name }) => name === null).length;
  return new Intl.ListFormat("en").format(
    erased > 0 ? [...names, t("lessonVersions.erased", { count: erased })] : names,
  );
}

/** What was restored lately, with the way back. */
export function Restores({ restores }: Pick<CourseHistory, "restores">) {
  const { t } = useTranslation();
  const undo = useUndoRestore();
  if (restores.length === 0) return null;
  return (
    <section aria-labelledby="restores" className={classes.restores}>
      <h2 id="restores" className={classes.heading}>
        {t("lessonVersions.restores")}
      </h2>
      <ul>
        {restores.map(({ id, scope, title, number, by, at, isUndone }) => {
          const line = t(`lessonVersions.restoreLine.${scope}`, { title, number });
          return (
            <li key={id}>
              <span>
                {line}{" "}
                <span className={classes.dim}>
                  {by
                    ? t("lessonVersions.restoreBy", { name: by, day: formatDate(at) })
                    : t("lessonVersions.restoreByErased", { day: formatDate(at) })}
                </span>
              </span>
              {isUndone ? (
                <span className={classes.dim}>{t("lessonVersions.undone")}</span>
              ) : (
                <Button variant="default" size="xs" onClick={() => void undo(id).catch(() => {})}>
                  {t("lessonVersions.undo")}
                  <span className="ly-hidden">: {line}</span>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import { stateTones } from "#web/lessons/author/versions/BlockDiff.tsx";
import classes from "#web/lessons/author/versions/versions.module.css";
import type { Comparison, LessonChange } from "#shared/lessons/versions/versions.ts";

type Props = { comparison: Comparison; openId: string | null; onOpen: (lessonId: string) => void };

/** The lessons of both sides, with what happened to each, and the modules that differ. */
export function ChangedLessons({ comparison: { lessons, modules, language }, openId, onOpen }: Props) {
  const { t } = useTranslation();
  const count = lessons.filter(({ state, isMoved }) => state !== "same" || isMoved).length;
  return (
    <>
      <h2 className={classes.heading}>{t("lessonVersions.lessons")}</h2>
      <p className={classes.dim} role="status">
        {t("lessonVersions.changedLessons", { count })}
      </p>
      <ol className={classes.lessons}>
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <button
              type="button"
              className={classes.lesson}
              aria-current={lesson.id === openId ? "true" : undefined}
              onClick={() => onOpen(lesson.id)}
            >
              <LessonLine lesson={lesson} language={language} />
            </button>
          </li>
        ))}
      </ol>
      {modules.length > 0 && (
        <>
          <h2 className={classes.heading}>{t("lessonVersions.modules")}</h2>
          <ul className={classes.modules}>
            {modules.map(({ title, before, state }) => (
              <li key={`${state} ${title}`}>{t(`lessonVersions.module.${state}`, { title, before })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const COUNTS = ["added", "removed", "changed", "moved"] as const;

function LessonLine({ lesson, language }: { lesson: LessonChange; language: string }) {
  const { t } = useTranslation();
  const { titles, state, isMoved, answers } = lesson;
  const counts = COUNTS.filter((name) => lesson[name] > 0).map((name) =>
    t(`lessonVersions.counts.${name}`, { count: lesson[name] }),
  );
  const isRenamed = titles.from !== null && titles.to !== null && titles.from !== titles.to;
  return (
    <>
      <span className={classes.lessonName} lang={language}>
        {titles.to ?? titles.from}
      </span>
      <span className={classes.pills}>
        <Pill tone={stateTones[state]}>{t(`lessonVersions.states.${state}`)}</Pill>
        {isMoved && <Pill>{t("lessonVersions.moved")}</Pill>}
      </span>
      {(isRenamed || counts.length > 0) && (
        <span className={classes.facts}>
          {[...(isRenamed ? [t("lessonVersions.renamed", { title: titles.from })] : []), ...counts].join(", ")}
        </span>
      )}
      {answers > 0 && (
        <span className={classes.warning}>
          <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
          {t("lessonVersions.answers", { count: answers })}
        </span>
      )}
    </>
  );
}

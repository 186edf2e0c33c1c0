import { NumberInput, TextInput } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOutline } from "#web/lessons/author/contents/useOutline.ts";
import classes from "#web/lessons/author/settings/settings.module.css";
import { QuizSettings } from "#web/lessons/author/settings/QuizSettings.tsx";
import type { LessonFacts } from "#web/lessons/author/settings/useLessonFacts.ts";
import type { CourseDraft } from "#shared/lessons/drafts.ts";
import type { DraftLesson } from "#shared/lessons/outline.ts";

type Props = { draft: CourseDraft; lesson: DraftLesson; facts: LessonFacts | null; editor: Editor | null };

/** Name and time of the open lesson, and who else is in the course. */
export function LessonSettings({ draft, lesson, facts, editor }: Props) {
  const minutes = facts?.minutes ?? null;
  const { t } = useTranslation();
  const { change } = useOutline(draft.id);
  const [title, setTitle] = useState(lesson.title);
  useEffect(() => setTitle(lesson.title), [lesson.title]);
  const save = () => {
    const next = title.trim();
    if (next && next !== lesson.title) void change({ kind: "changeLesson", id: lesson.id, title: next });
    else setTitle(lesson.title);
  };
  const minutesHint = () => {
    if (lesson.packageId !== undefined) return t("lessonDrafts.settings.minutesOfPackage");
    if (lesson.minutes === null) return t("lessonDrafts.settings.minutesEstimated");
    return t("lessonDrafts.settings.minutesSet", { count: minutes ?? 0 });
  };
  return (
    <>
      <TextInput
        label={t("lessonDrafts.settings.name")}
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === "Enter" && save()}
      />
      <NumberInput
        label={t("lessonDrafts.settings.minutes")}
        description={minutesHint()}
        placeholder={String(minutes ?? "")}
        value={lesson.minutes ?? ""}
        min={1}
        max={600}
        allowDecimal={false}
        onBlur={(event) => {
          const value = Number(event.currentTarget.value);
          const next = value >= 1 && value <= 600 ? value : null;
          if (next !== lesson.minutes) void change({ kind: "changeLesson", id: lesson.id, minutes: next });
        }}
      />
      {lesson.packageId === undefined && <QuizSettings draft={draft} lesson={lesson} facts={facts} editor={editor} />}
      <section className={classes.part}>
        <h3 className={classes.heading}>{t("lessonDrafts.settings.hereNow")}</h3>
        <ul className={classes.people}>
          <li>{t("lessonDrafts.settings.you")}</li>
          {draft.present.map((one) => {
            const place = draft.modules.flatMap(({ lessons }) => lessons).find(({ id }) => id === one.lessonId);
            return (
              <li key={one.id}>
                {one.name}
                {place && (
                  <span className={classes.dim}> {t("lessonDrafts.settings.inLesson", { title: place.title })}</span>
                )}
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

import { Button } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createStore } from "#web/core/store.ts";
import { newId } from "#web/core/random.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/lessons/author/preview/preview.module.css";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { createLocalLesson, shuffledBy } from "#web/lessons/learner/localLesson.ts";
import { LessonBody } from "#web/lessons/learner/LessonBody.tsx";
import { useQuizAction } from "#web/lessons/learner/quiz/useQuizAction.ts";
import { useQuizClock } from "#web/lessons/learner/quiz/useQuizClock.ts";
import { useQuizPage } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { useShownQuestions } from "#web/lessons/learner/useShownQuestions.ts";
import { visibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import { answerFacts } from "#shared/lessons/lessonResult.ts";
import { toShownDocument } from "#shared/lessons/shownLesson.ts";
import { walkObjects } from "#shared/lessons/walk.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

type Props = {
  lesson: Lesson;
  lessons: Lesson[];
  /** Addresses of files by id. */
  urls: ReadonlyMap<string, string>;
  isNarrow: boolean;
  onOpen: (lessonId: string) => void;
};

/** A lesson that can be tried out: answers are judged here, and values last as long as the page. */
export function PreviewedLesson({ lesson, lessons, urls, isNarrow, onOpen }: Props) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const [values] = useState(() => createStore<ReadonlyMap<string, VariableValue>>(new Map()));
  const [seed] = useState(() => newId());
  const local = useMemo(() => {
    const document = toShownDocument(withUrls(lesson, urls), (block) => shuffledBy(seed + block));
    return createLocalLesson(lesson.id, document, seed);
  }, [lesson, urls, seed]);
  const [shown, setOpen] = useState<OpenLesson>(() => local.show());
  const facts = useMemo(() => {
    const answers = answerFacts([{ state: shown.state, document: local.document }]);
    return { value: (key: string) => values.get().get(key) ?? null, answer: (id: string) => answers.get(id) };
  }, [local, shown, values]);
  const visible = useMemo(() => visibleBlocks(shown, facts), [shown, facts]);
  const place = useQuizPage(shown.quiz ? shown : null);
  const questions = useShownQuestions(visible, place);
  const record: LessonTools["record"] = ({ type, key, value }) => {
    if (type === "variable.set" && key) values.set(new Map(values.get()).set(key, readValue(value)));
    local.apply({ type, key, value });
    setOpen(local.show());
  };
  const missing = () => toast.failed(t("lessonDrafts.preview.onlyPublished"));
  const tools: LessonTools = {
    lesson: shown,
    facts,
    media: "",
    isBeside: false,
    record,
    refresh: () => setOpen(local.show()),
    isOffline: false,
    learner: t("lessonDrafts.preview.learner"),
    lessons: lessons.map(({ id, title }) => ({ id, title })),
    openLesson: onOpen,
    bots: [],
    openChat: missing,
    runPrompt: () => Promise.resolve({ text: t("lessonDrafts.preview.onlyPublished"), hasFailed: true }),
    readOnly: false,
    isReplayed: false,
    completed: null,
  };
  const next = lessons[lessons.findIndex(({ id }) => id === lesson.id) + 1];
  const { gate } = visible;
  const left = useQuizClock(tools);
  const onward = next && {
    label: t("lessonDrafts.preview.next", { title: next.title }),
    run: () => onOpen(next.id),
  };
  const quiz = useQuizAction(tools, place, questions, onward ?? null);
  const main = (() => {
    if (place) return quiz;
    if (questions.canCheck) return { label: t("lessonDrafts.preview.check"), run: () => questions.check() };
    if (gate)
      return { label: t("lessonDrafts.preview.continue"), run: () => record({ type: "block.seen", key: gate }) };
    return onward;
  })();
  return (
    <div className={classes.ground}>
      <div className={classes.device} data-narrow={isNarrow || undefined}>
        <div ref={area} className={classes.area} tabIndex={-1}>
          <LessonBody
            title={lesson.title}
            tools={tools}
            visible={visible}
            place={place}
            questions={questions.list}
            left={left}
            area={area}
            main={() => main && !("isDisabled" in main && main.isDisabled) && main.run()}
          />
        </div>
        <footer className={classes.foot}>
          {main && (
            <Button onClick={main.run} disabled={"isDisabled" in main && main.isDisabled === true}>
              {main.label}
            </Button>
          )}
        </footer>
      </div>
    </div>
  );
}

function readValue(value: string | null | undefined): VariableValue {
  try {
    return JSON.parse(value ?? "null") as VariableValue;
  } catch {
    return value ?? null;
  }
}

/** The renderer appends ids to a folder; here each file has an address of its own. */
function withUrls({ document }: Lesson, urls: Props["urls"]) {
  const copy = structuredClone(document);
  walkObjects(copy, (object) => {
    const { fileId } = object;
    if (typeof fileId === "string") object["fileId"] = urls.get(fileId) ?? fileId;
  });
  return copy;
}

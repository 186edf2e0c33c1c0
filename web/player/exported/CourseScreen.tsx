import { IconInfoCircle } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import { isGiven, useQuizPage } from "#web/lessons/learner/quiz/useQuizPage.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { LessonBody } from "#web/lessons/learner/LessonBody.tsx";
import { useQuizAction } from "#web/lessons/learner/quiz/useQuizAction.ts";
import { useQuizClock } from "#web/lessons/learner/quiz/useQuizClock.ts";
import { useShownQuestions } from "#web/lessons/learner/useShownQuestions.ts";
import { visibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import { CourseResult } from "#web/player/CourseResult.tsx";
import classes from "#web/player/exported/exported.module.css";
import type { CourseRun, RunView } from "#web/player/exported/courseRun.ts";
import { LessonFooter } from "#web/player/LessonFooter.tsx";
import screen from "#web/player/LessonScreen.module.css";
import { Outline } from "#web/player/Outline.tsx";
import bar from "#web/player/PlayerBar.module.css";
import player from "#web/player/Player.module.css";
import type { ExportedCourse } from "#shared/lessons/transfer/exported.ts";
import type { Part } from "#shared/player/player.ts";

type Props = { course: ExportedCourse; run: CourseRun; learner: string; isConnected: boolean };

/** A course outside of its academy: contents, the open lesson, and the main button below it. */
export function CourseScreen(props: Props) {
  const view = props.run.view.use();
  return <Screen {...props} view={view} />;
}

function Screen({ course, run, learner, isConnected, view }: Props & { view: RunView }) {
  const { t } = useTranslation();
  const area = useRef<HTMLElement>(null);
  const [contentsOpen, setContentsOpen] = useState(false);
  const [isAtEnd, setAtEnd] = useState(false);
  const parts = useMemo(() => listParts(course), [course]);
  const lessons = useMemo(() => parts.filter(({ href }) => href !== null), [parts]);
  const index = lessons.findIndex(({ sco }) => sco === view.current);
  const title = lessons[index]?.title ?? course.title;
  useEffect(() => {
    document.title = `${title} · ${course.title}`;
  }, [title, course.title]);

  const { lesson, facts, attempt, isOver } = view;
  const visible = useMemo(() => visibleBlocks(lesson, facts), [lesson, facts]);
  const place = useQuizPage(lesson.quiz ? lesson : null);
  const questions = useShownQuestions(visible, place);
  const open = (sco: string) => {
    setContentsOpen(false);
    setAtEnd(false);
    run.open(sco);
  };
  const tools: LessonTools = {
    lesson,
    facts,
    media: "media/",
    isBeside: true,
    record: run.record,
    refresh: run.refresh,
    isOffline: false,
    learner: learner || t("lessons.exported.learner"),
    lessons: lessons.map(({ sco, title: name }) => ({ id: sco, title: name })),
    openLesson: open,
    bots: [],
    openChat: () => {},
    runPrompt: () => Promise.resolve({ text: "", hasFailed: true }),
    readOnly: isOver,
    isReplayed: false,
    completed: attempt.completion === "complete" ? { certificate: null } : null,
  };
  const left = useQuizClock(tools);
  const next = lessons[index + 1];
  const quiz = useQuizAction(tools, place, questions, {
    label: t(next ? "lessons.nextLesson" : "lessons.finish"),
    run: () => (next ? open(next.sco) : setAtEnd(true)),
  });
  const done = attempt.parts.filter(({ state }) => state === "done").length;
  const share = () => {
    if (isAtEnd || lesson.state.ended || place?.page === "result") return 1;
    if (place) return place.asked.filter(({ block }) => isGiven(lesson, block.id)).length / Math.max(1, place.total);
    return Math.min(1, lesson.state.seen.length / Math.max(1, lesson.document.blocks.length));
  };
  const why = () => {
    if (attempt.completion === "complete") return t("lessons.completeText", { course: course.title });
    return t("lessons.openLessons", { count: lessons.length - done });
  };
  const leave = () => {
    run.end();
    window.close();
  };
  return (
    <div className={`${player.player} ${screen.player}`}>
      <header className={bar.bar}>
        <h1 className={bar.title}>{course.title}</h1>
        <span className={bar.grow} />
        <span className={bar.progress}>
          <Colonnade total={lessons.length} done={done} current={index + 1} />
          {t("player.position", { at: index + 1, total: lessons.length })}
        </span>
      </header>
      <div className={player.work} data-several="">
        <Outline
          launch={{ parts }}
          view={view}
          shown={contentsOpen}
          onOpen={open}
          onClose={() => setContentsOpen(false)}
          isUnsaved={!isConnected}
        />
        <main className={screen.stage}>
          <Notices isConnected={isConnected} view={view} />
          <div className={screen.progress} aria-hidden>
            <span style={{ inlineSize: `${Math.round(share() * 100)}%` }} />
          </div>
          <section ref={area} className={screen.area} tabIndex={-1}>
            {isAtEnd && <CourseResult parts={parts} attempt={attempt} why={why()} onOpen={open} />}
            {!isAtEnd && (
              <LessonBody
                key={view.current}
                title={title}
                tools={tools}
                visible={visible}
                place={place}
                questions={questions.list}
                left={left}
                area={area}
                main={() => !quiz?.isDisabled && quiz?.run()}
              />
            )}
          </section>
          <LessonFooter
            parts={lessons}
            index={index}
            attempt={attempt}
            lesson={lesson}
            isPackage={false}
            visible={visible}
            questions={questions}
            area={area}
            isAtEnd={isAtEnd}
            quiz={quiz}
            contentsOpen={contentsOpen}
            onContents={() => setContentsOpen((shown) => !shown)}
            onOpen={open}
            onGate={(id) => run.record({ type: "block.seen", key: id })}
            onRead={() => {
              if (!lesson.state.ended) run.record({ type: "lesson.end" });
            }}
            onEnd={() => setAtEnd(true)}
            onExit={leave}
            leave={t("lessons.exported.close")}
          />
        </main>
      </div>
      <span className="ly-hidden" role="status">
        {t("lessons.nowOpen", { title })}
      </span>
    </div>
  );
}

/** What the learner has to know about the platform around the course. */
function Notices({ isConnected, view }: { isConnected: boolean; view: RunView }) {
  const { t } = useTranslation();
  const text = (() => {
    if (view.isOver) return t(isConnected ? "lessons.exported.closed" : "lessons.exported.closedAlone");
    if (!isConnected) return t("lessons.exported.alone");
    return view.loss === "nothing" ? null : t(`lessons.exported.loss.${view.loss}`);
  })();
  return (
    <div role="status">
      {text !== null && (
        <p className={classes.notice}>
          <IconInfoCircle size={18} stroke={1.7} aria-hidden />
          {text}
        </p>
      )}
    </div>
  );
}

const listParts = ({ modules }: ExportedCourse): Part[] =>
  modules.flatMap(({ id, title, lessons }) => {
    const base = { kind: "lesson" as const, given: {} };
    const heading = { ...base, sco: id, title, depth: 0, href: null, isSco: false };
    const listed = lessons.map((one) => ({
      ...base,
      sco: one.id,
      title: one.title,
      depth: title === "" ? 0 : 1,
      href: one.id,
      isSco: true,
    }));
    return title === "" ? listed : [heading, ...listed];
  });

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { EarnedCertificate } from "#web/certificates/CertificateCard.tsx";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { OpenCourse } from "#web/conversations/openCourse.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { LessonBody } from "#web/lessons/learner/LessonBody.tsx";
import { useQuizAction } from "#web/lessons/learner/quiz/useQuizAction.ts";
import { useQuizClock } from "#web/lessons/learner/quiz/useQuizClock.ts";
import { isGiven, type QuizPlace, useQuizPage } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { useShownQuestions } from "#web/lessons/learner/useShownQuestions.ts";
import { visibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import { CourseChat } from "#web/player/CourseChat.tsx";
import { CourseEnd } from "#web/player/CourseEnd.tsx";
import { LessonFooter } from "#web/player/LessonFooter.tsx";
import { LessonLoading } from "#web/player/LessonLoading.tsx";
import { type LessonSession, type LessonView as View, runLessonSession } from "#web/player/session/lessonSession.ts";
import { Outline } from "#web/player/Outline.tsx";
import { FRAME_ALLOW } from "#web/player/session/packageVisit.ts";
import { PartEnd } from "#web/player/PartEnd.tsx";
import { PlayerBar } from "#web/player/PlayerBar.tsx";
import { RecordingNotice } from "#web/player/RecordingNotice.tsx";
import { SessionOver } from "#web/player/SessionOver.tsx";
import { useLessonTools } from "#web/player/useLessonTools.ts";
import { useRecordingPermission } from "#web/player/useRecordingPermission.ts";
import { useCourseChat } from "#web/player/useCourseChat.ts";
import classes from "#web/player/LessonScreen.module.css";
import player from "#web/player/Player.module.css";
import type { Launch } from "#shared/player/player.ts";

type Props = {
  launch: Launch;
  userId: string;
  onLeave: (result?: { stored: boolean; courseId: string }) => void;
  onUnsent: (sessionIds: string[]) => void;
  onTakeOver: () => void;
};
const NO_BLOCKS = { blocks: [], gate: null, missing: [] };

/** The player of a course of lessons: bar, contents, the lesson, and one main button below it. */
export function LessonScreen({ launch, userId, onLeave, onUnsent, onTakeOver }: Props) {
  const { t } = useTranslation();
  const academy = useAcademyName();
  const session = useRef<LessonSession | null>(null);
  const area = useRef<HTMLElement>(null);
  const [view, setView] = useState<View>({
    save: { status: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
    recording: false,
    lesson: null,
    hasFailed: false,
    facts: { value: () => null, answer: () => undefined },
  });
  const [contentsOpen, setContentsOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [isAtEnd, setAtEnd] = useState(false);
  const chat = useCourseChat(launch, area);

  const packageArea = useRef<HTMLDivElement>(null);
  const { onRequest } = chat;
  const frameTitle = t("player.frame");
  useEffect(() => {
    const createFrame = () => {
      const frame = document.createElement("iframe");
      frame.allow = FRAME_ALLOW;
      frame.title = frameTitle;
      frame.className = player.frame ?? "";
      packageArea.current?.append(frame);
      return frame;
    };
    const started = runLessonSession(launch, userId, setView, onUnsent, { createFrame, onChat: onRequest });
    session.current = started;
    return () => started.stop();
  }, [launch, userId, onUnsent, onRequest, frameTitle]);

  const mayRecord = useRecordingPermission(launch);
  useEffect(() => {
    if (!mayRecord) session.current?.stopRecording();
  }, [mayRecord, launch]);

  const parts = useMemo(() => launch.parts.filter(({ href }) => href !== null), [launch.parts]);
  const index = parts.findIndex(({ sco }) => sco === view.current);
  const title = parts[index]?.title ?? launch.course.title;
  const isPackage = parts[index] !== undefined && parts[index].kind !== "lesson";
  useEffect(() => {
    document.title = `${title} · ${launch.course.title} · ${academy}`;
  }, [title, launch.course.title, academy]);

  const { lesson, facts, attempt } = view;
  const visible = useMemo(() => (lesson ? visibleBlocks(lesson, facts) : NO_BLOCKS), [lesson, facts]);
  const place = useQuizPage(lesson);
  const questions = useShownQuestions(visible, place);

  const record = useCallback<LessonTools["record"]>((event, isUrgent) => session.current?.record(event, isUrgent), []);
  const open = useCallback((sco: string) => {
    setContentsOpen(false);
    setAtEnd(false);
    session.current?.open(sco);
  }, []);
  const exit = async () => {
    if (leaving) return;
    setLeaving(true);
    const stored = (await session.current?.exit()) ?? false;
    onLeave({ stored, courseId: launch.course.id });
  };
  const status = view.save.status;
  const isSuperseded = status === "elsewhere";
  const isOver = isSuperseded || status === "ended";
  const refresh = useCallback(() => session.current?.refresh(), []);
  const completed =
    attempt.completion === "complete"
      ? { certificate: !launch.preview && <EarnedCertificate courseId={launch.course.id} /> }
      : null;
  const actions = { record, refresh, openLesson: open, bots: chat.bots, openChat: chat.open, completed };
  const tools = useLessonTools(launch, view, actions);
  const next = parts[index + 1];
  const left = useQuizClock(tools);
  const quiz = useQuizAction(tools, place, questions, {
    label: t(next ? "lessons.nextLesson" : "lessons.finish"),
    run: () => (next ? open(next.sco) : setAtEnd(true)),
  });

  return (
    <div className={`${player.player} ${classes.player}`}>
      <PlayerBar
        launch={launch}
        view={view}
        index={index}
        total={parts.length}
        done={attempt.parts.filter(({ state }) => state === "done").length}
        leaving={leaving}
        contentsOpen={contentsOpen}
        onExit={isOver ? () => onLeave() : exit}
        onConfirm={() => session.current?.confirm()}
        chat={chat}
      />
      <div className={player.work} data-several="" data-chat={chat.shown !== null || undefined}>
        <Outline
          launch={launch}
          view={view}
          shown={contentsOpen}
          onOpen={open}
          onClose={() => setContentsOpen(false)}
        />
        <main className={classes.stage}>
          {view.recording && <RecordingNotice company={launch.company.name} />}
          {!isPackage && <ReadingProgress share={isAtEnd ? 1 : shareSeen(view, place)} />}
          <div
            ref={packageArea}
            className={classes.package}
            hidden={!isPackage || isAtEnd || view.hasFailed}
            data-open={view.open || undefined}
          />
          <section ref={area} className={classes.area} tabIndex={-1} hidden={isPackage && !isAtEnd && !view.hasFailed}>
            {isAtEnd && <CourseEnd launch={launch} attempt={attempt} onOpen={open} />}
            {!isAtEnd && tools && (
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
            {!isAtEnd && !tools && (!isPackage || view.hasFailed) && (
              <LessonLoading title={title} hasFailed={view.hasFailed} onRetry={() => session.current?.retry()} />
            )}
          </section>
          <LessonFooter
            parts={parts}
            index={index}
            attempt={attempt}
            lesson={lesson}
            isPackage={isPackage}
            visible={visible}
            questions={questions}
            area={area}
            isAtEnd={isAtEnd}
            quiz={quiz}
            contentsOpen={contentsOpen}
            onContents={() => setContentsOpen((shown) => !shown)}
            onOpen={open}
            onGate={(id) => session.current?.record({ type: "block.seen", key: id })}
            onRead={() => {
              if (!lesson?.state.ended) session.current?.record({ type: "lesson.end" });
            }}
            onEnd={() => setAtEnd(true)}
            onExit={exit}
          />
          {view.ended && isPackage && !isAtEnd && !isOver && (
            <PartEnd launch={launch} view={view} index={index} onOpen={open} onExit={exit} />
          )}
          {isOver && <SessionOver save={view.save} onTakeOver={onTakeOver} onLeave={() => onLeave()} />}
        </main>
        {chat.shown && !isOver && (
          <OpenCourse value={{ id: launch.course.id, openPart: open }}>
            <CourseChat launch={launch} chatbotId={chat.shown} onClose={chat.close} />
          </OpenCourse>
        )}
      </div>
      <span className="ly-hidden" role="status">
        {isOver ? "" : t("lessons.nowOpen", { title })}
      </span>
    </div>
  );
}

function shareSeen({ lesson }: View, place: QuizPlace | null) {
  if (lesson && place) {
    if (place.page === "result") return 1;
    return place.asked.filter(({ block }) => isGiven(lesson, block.id)).length / Math.max(1, place.total);
  }
  if (!lesson || lesson.document.blocks.length === 0) return 0;
  if (lesson.state.ended) return 1;
  return Math.min(1, lesson.state.seen.length / lesson.document.blocks.length);
}

const ReadingProgress = ({ share }: { share: number }) => (
  <div className={classes.progress} aria-hidden>
    <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
  </div>
);

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useThrottledValue } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { LessonBody } from "#web/lessons/learner/LessonBody.tsx";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import { useQuizPage } from "#web/lessons/learner/quiz/useQuizPage.ts";
import { useShownQuestions } from "#web/lessons/learner/useShownQuestions.ts";
import { visibleBlocks } from "#web/lessons/learner/visibleBlocks.ts";
import { indexAt, type ReplayClock, useClock } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import { RebuiltPart } from "#web/reports/replay/RebuiltPart.tsx";
import classes from "#web/reports/replay/stage.module.css";
import type { PartSpan } from "#web/reports/replay/timeline.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import { listTests } from "#shared/conditions/conditions.ts";
import { type Replay, type ReplayLesson, replays } from "#shared/reports/replays.ts";

/** The lesson is read again at most this often, in ms. */
const READ_EVERY_MS = 250;
/** Lessons as they were at other positions are kept this long, in ms. */
const KEPT_MS = 20_000;
const isOfLesson = (type: string) =>
  type === "nav" || type === "lesson.end" || type.startsWith("block.") || type.startsWith("quiz.");
const nothing = () => {};

type Props = { replay: Replay; index: ReplayIndex; clock: ReplayClock; part: PartSpan | undefined };

/** The lesson as its learner saw it at the position; nothing in it can be answered. */
export function ReplayedLesson(props: Props) {
  const { replay, index, clock } = props;
  const steps = useMemo(() => index.events.filter(({ type }) => isOfLesson(type)), [index]);
  const stepTimes = useMemo(() => steps.map(({ t }) => t), [steps]);
  const at = useClock(clock, ({ now }) => indexAt(stepTimes, now()));
  const seq = useThrottledValue(steps[at]?.seq ?? 0, READ_EVERY_MS);
  const { data, error, refetch } = useQuery({
    ...queryFor(replays.replayLesson, { params: { id: replay.session.id }, query: { seq } }),
    staleTime: Infinity,
    gcTime: KEPT_MS,
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className={classes.lesson} aria-busy />;
  if (!data.shown) return <RebuiltPart {...props} />;
  return <Lesson key={data.sco} replay={replay} index={index} clock={clock} sco={data.sco ?? ""} shown={data.shown} />;
}

type Shown = NonNullable<ReplayLesson["shown"]>;
type LessonProps = Omit<Props, "part"> & { sco: string; shown: Shown };

function Lesson({ replay, index, clock, sco, shown }: LessonProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const facts = useFacts(index, clock, shown.answers);
  const lesson = useMemo((): OpenLesson => {
    const { document, state, revealed, quiz } = shown.lesson;
    const read = quiz && { quiz: { view: quiz, readAt: 0 } };
    return { sco, document, state, revealed, pending: {}, lost: {}, ...read };
  }, [sco, shown]);
  const visible = useMemo(() => visibleBlocks(lesson, facts), [lesson, facts]);
  const place = useQuizPage(lesson.quiz ? lesson : null);
  const questions = useShownQuestions(visible, place);
  const { last } = lesson.state;
  useEffect(() => {
    const block = last === null ? null : area.current?.querySelector(`[data-block="${CSS.escape(last)}"]`);
    if (!block || !area.current) return;
    const top = block.getBoundingClientRect().top - area.current.getBoundingClientRect().top;
    area.current.scrollBy({ top: top - area.current.clientHeight / 3 });
  }, [last]);
  const titles = replay.parts.filter(({ isHeading }) => !isHeading).map(({ sco: id, title }) => ({ id, title }));
  const tools: LessonTools = {
    lesson,
    facts,
    media: shown.media,
    isBeside: false,
    record: nothing,
    refresh: nothing,
    isOffline: false,
    learner: replay.learner.name,
    lessons: titles,
    openLesson: nothing,
    bots: [],
    openChat: nothing,
    runPrompt: () => Promise.resolve({ text: "", hasFailed: true }),
    readOnly: true,
    isReplayed: true,
    completed: null,
  };
  const { view } = lesson.quiz ?? {};
  const hasMasked = dependsOnMasked(shown, replay);
  return (
    <div className={classes.lesson}>
      <div ref={area} className={classes.lessonArea} tabIndex={0} role="group" aria-label={t("replay.stage.title")}>
        <LessonBody
          title={titles.find(({ id }) => id === sco)?.title ?? ""}
          tools={tools}
          visible={visible}
          place={place}
          questions={questions.list}
          left={view?.endsAt ? Date.parse(view.endsAt) - Date.parse(view.now) : null}
          area={area}
          main={nothing}
        />
      </div>
      {hasMasked && <p className={classes.note}>{t("replay.stage.maskedBlocks")}</p>}
    </div>
  );
}

/** The values of variables at the position, as far as they are not masked, and what had been answered. */
function useFacts(index: ReplayIndex, clock: ReplayClock, answers: Shown["answers"]): Facts {
  const { tracks, changeTimes } = index;
  const changes = useClock(clock, ({ now }) => indexAt(changeTimes, now()));
  return useMemo(() => {
    const now = changeTimes[changes] ?? -1;
    const values = new Map(
      tracks.map(({ variable, times, changes: all }) => [
        variable.key,
        all[indexAt(times, now)]?.after ?? variable.start,
      ]),
    );
    return { value: (key) => values.get(key) ?? null, answer: (block) => answers[block] };
  }, [tracks, changeTimes, changes, answers]);
}

/** Whether the lesson shows something only for some values of a variable that is masked. */
function dependsOnMasked({ lesson }: Shown, { variables }: Replay) {
  const masked = new Set(variables.filter(({ privacy }) => privacy === "sensitive").map(({ key }) => key));
  return lesson.document.blocks.some(({ showWhen }) =>
    (showWhen ? listTests(showWhen) : []).some((test) => test.kind === "variable" && masked.has(test.key)),
  );
}

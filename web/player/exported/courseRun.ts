import { toInteraction } from "#web/player/exported/interactions.ts";
import type { Platform } from "#web/player/exported/platform.ts";
import { createProgress, type Loss, type Progress } from "#web/player/exported/progress.ts";
import { createStore } from "#web/core/store.ts";
import { createLocalLesson, shuffledBy } from "#web/lessons/learner/localLesson.ts";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import type { ExportedCourse } from "#shared/lessons/transfer/exported.ts";
import { lessonValues } from "#shared/lessons/lessonEvents.ts";
import { answerFacts, lessonResult, type LessonResult, scoreOf } from "#shared/lessons/lessonResult.ts";
import { newLessonState } from "#shared/lessons/lessonState.ts";
import { toShownDocument } from "#shared/lessons/shownLesson.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import type { AttemptState } from "#shared/player/player.ts";

// A course that runs in another platform: this page judges, keeps and reports

export type RunView = {
  current: string;
  lesson: OpenLesson;
  facts: Facts;
  attempt: AttemptState;
  loss: Loss;
  isOver: boolean;
};
/** Between a change and its commit, in ms; answers are committed at once. */
const COMMIT_MS = 3000;

export function createCourseRun(course: ExportedCourse, platform: Platform) {
  const list = course.modules.flatMap(({ lessons }) => lessons);
  const [first] = list;
  if (!first) throw new Error("a course without lessons");
  const store = createProgress(course);
  const stored = store.read(platform.suspended);
  const seed = stored?.seed ?? Math.random().toString(36).slice(2, 8);
  const values = new Map<string, VariableValue>(Object.entries(stored?.values ?? {}));
  const lessons = new Map(
    list.map(({ id, document }) => {
      const shown = toShownDocument(document, (block) => shuffledBy(seed + block));
      return [id, createLocalLesson(id, shown, seed, stored?.lessons[id] ?? newLessonState())] as const;
    }),
  );
  const visited = new Set(Object.keys(stored?.lessons ?? {}));
  let current = stored && lessons.has(stored.current) ? stored.current : first.id;
  let { isDone, isPassed, best } = stored ?? { isDone: false, isPassed: false, best: null as number | null };
  let loss: Loss = "nothing";
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const readFacts = (): Facts => {
    const answers = answerFacts([...lessons.values()].map((one) => ({ state: one.state(), document: one.document })));
    return { value: (key) => values.get(key) ?? null, answer: (id) => answers.get(id) };
  };
  const partState = (sco: string, { isDone: done, success }: LessonResult) => {
    if (done) return "done" as const;
    if (success === "failed") return "failed" as const;
    return visited.has(sco) ? ("started" as const) : ("todo" as const);
  };
  /** As the completion of a course of lessons is rolled up (server/player/completionRule.ts). */
  const rate = (facts: Facts): AttemptState => {
    const results = [...lessons.values()].map(
      (one) => [one.sco, lessonResult(one.document, one.state(), facts)] as const,
    );
    const all = results.map(([, result]) => result);
    const keepsBest = isPassed || isDone;
    const score = scoreOf(all);
    if (score !== null) best = keepsBest ? Math.max(best ?? 0, score) : score;
    const areDone = all.every((result) => result.isDone);
    isDone ||= areDone;
    const hasFailed = all.some(({ success }) => success === "failed");
    isPassed ||= !hasFailed && areDone && all.some(({ success }) => success === "passed");
    const notPassed = hasFailed ? "failed" : "unknown";
    return {
      completion: isDone ? "complete" : "incomplete",
      success: isPassed ? "passed" : notPassed,
      progress: all.reduce((sum, one) => sum + (one.isDone ? 1 : one.progress), 0) / all.length,
      scorePercent: best,
      parts: results.map(([sco, result]) => ({ sco, state: partState(sco, result) })),
    };
  };
  const look = (): RunView => {
    visited.add(current);
    const lesson = lessons.get(current)!.show();
    const facts = readFacts();
    return { current, lesson, facts, attempt: rate(facts), loss, isOver };
  };
  // Attempts at quizzes whose time is over are ended before anything is rated.
  for (const one of lessons.values()) one.show();
  const view = createStore<RunView>(look());

  const save = (isUrgent: boolean) => {
    if (isOver) return;
    const { attempt } = view.get();
    const states = [...lessons.values()].filter(({ sco }) => visited.has(sco)).map((one) => [one.sco, one.state()]);
    const progress: Progress = {
      seed,
      isDone,
      isPassed,
      best,
      current,
      values: Object.fromEntries(values),
      lessons: Object.fromEntries(states),
    };
    const written = store.write(progress, platform.room);
    const last = lessons.get(current)?.state().last ?? "";
    const isTaken = platform.report({
      isDone,
      success: attempt.success,
      score: attempt.scorePercent,
      progress: attempt.progress ?? 0,
      location: `${current}${last && `.${last}`}`,
      suspended: written.text ?? platform.suspended,
    });
    const next = isTaken || !platform.isConnected ? written.loss : "all";
    if (next !== loss) {
      loss = next;
      view.set({ ...view.get(), loss });
    }
    clearTimeout(timer);
    if (isUrgent) platform.commit();
    else timer = setTimeout(platform.commit, COMMIT_MS);
  };
  const show = (isUrgent: boolean) => {
    view.set(look());
    save(isUrgent);
  };
  /** Of an answer that was judged. */
  const reportAnswer = (block: string, value: string) => {
    const entry = list.find(({ id }) => id === current)?.document.blocks.find(({ id }) => id === block);
    const state = lessons.get(current)?.state();
    const answer = state?.answers[block];
    const { ms } = lessonValues["block.answer"].parse(JSON.parse(value));
    if (entry?.kind !== "question" || !answer) return;
    const { question } = entry;
    const { response, share } = answer;
    platform.addInteraction(toInteraction(course.standard, { id: block, question, response, share, ms }, new Date()));
  };
  const triesOf = (block: string) => lessons.get(current)?.state().answers[block]?.tries ?? 0;
  const record: LessonTools["record"] = ({ type, key = "", value = "" }, isUrgent = false) => {
    if (isOver) return;
    if (type === "variable.set") values.set(key, JSON.parse(value) as VariableValue);
    const before = triesOf(key);
    lessons.get(current)?.apply({ type, key, value });
    if (type === "block.answer" && triesOf(key) > before) reportAnswer(key, value);
    show(isUrgent);
  };
  save(true);
  return {
    view,
    record,
    refresh: () => show(false),
    open(sco: string) {
      if (!lessons.has(sco) || isOver) return;
      current = sco;
      show(true);
    },
    commit: () => {
      clearTimeout(timer);
      if (!isOver) platform.commit();
    },
    /** The page is left: nothing counts any more. */
    end() {
      if (isOver) return;
      clearTimeout(timer);
      platform.end();
      isOver = true;
      view.set({ ...view.get(), isOver });
    },
  };
}
export type CourseRun = ReturnType<typeof createCourseRun>;

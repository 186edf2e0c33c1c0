import type { Step, Visit } from "#server/demo/demoHistory.ts";
import { createRandom } from "#server/demo/random.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { stepByKey } from "#shared/lessons/scenarios.ts";
import type { Question, QuestionResponse } from "#shared/lessons/questions.ts";

// Visits to the course of lessons: what a learner reads and answers, in this order

/** Seconds from one answer to the next, besides what the learner needs to read. */
const READING_SECONDS = 7;

/** How often a block is marked as unclear, which kinds are, and what is said then; often nothing. */
const UNCLEAR_SHARE = 0.03;
const PUZZLING = new Set<LessonBlock["kind"]>(["paragraph", "list", "table", "callout", "question"]);
const lines = ["", "", "", "Does this hold for rope access too?", "Which ring is meant?", "What if the mast is wet?"];

/** `unclear`: of a row of its own, so that marks change nothing else. */
type Habits = { random: () => number; unclear: () => number; skill: number };

/** The ids of the questions of an attempt at a quiz. */
export type Draw = (attemptId: string, lesson: Lesson, no: number) => string[];

/** A visit that goes from one lesson to another; `skill` is the share of questions that are answered right at once. */
export function lessonVisit(at: Date, lessons: Lesson[], seed: number, skill: number, draw: Draw): Visit {
  // Which questions are drawn is known once there is an attempt; how long it takes differs little.
  const planned = stepsOf(
    lessons,
    { random: createRandom(seed), unclear: createRandom(seed + 1), skill },
    ({ document }) => document.blocks.flatMap(({ id, kind }) => (kind === "question" ? [id] : [])),
  );
  return {
    at,
    minutes: Math.ceil((planned.at(-1)?.t ?? 0) / 60_000) + 4,
    steps: ({ attemptId }) =>
      stepsOf(lessons, { random: createRandom(seed), unclear: createRandom(seed + 1), skill }, (lesson, no) =>
        draw(attemptId, lesson, no),
      ),
  };
}

type DrawInVisit = (lesson: Lesson, no: number) => string[];

function stepsOf(lessons: Lesson[], habits: Habits, draw: DrawInVisit): Step[] {
  const steps: Step[] = [];
  const { unclear } = habits;
  let t = 1000;
  const add = (sco: string, type: Step["type"], key?: string, value?: unknown) =>
    void steps.push({
      t: Math.round(t),
      type,
      sco,
      ...(key !== undefined && { key }),
      ...(value !== undefined && { value: JSON.stringify(value) }),
    });
  for (const lesson of lessons) {
    const { id: sco, document } = lesson;
    add(sco, "nav");
    for (const block of document.blocks) {
      // Shown only to some learners, by what they answered.
      if (block.showWhen || (document.quiz && block.kind === "question")) continue;
      t += 1000 * (2 + READING_SECONDS * habits.random());
      add(sco, "block.seen", block.id);
      if (unclear() < UNCLEAR_SHARE && PUZZLING.has(block.kind)) {
        const line = lines[Math.floor(unclear() * lines.length)];
        add(sco, "block.unclear", block.id, { isMarked: true, line });
      }
      for (const { type, key, value, seconds } of actionsOf(block, habits)) {
        t += seconds * 1000;
        add(sco, type, key, value);
      }
    }
    if (document.quiz) takeQuiz(lesson, draw);
    t += 4000;
    add(sco, "lesson.end");
  }

  /** Attempts until it is passed, or none is left. */
  function takeQuiz(lesson: Lesson, drawIn: DrawInVisit) {
    const { id: sco, document } = lesson;
    const { quiz, blocks } = document;
    for (let no = 1, isPassed = false; quiz && !isPassed && no <= (quiz.attempts ?? 3); no++) {
      const ids = drawIn(lesson, no);
      let points = 0;
      t += 3000;
      add(sco, "quiz.start", undefined, { attempt: no });
      for (const id of ids) {
        const block = blocks.find((one) => one.id === id);
        if (block?.kind !== "question") continue;
        const seconds = 5 + Math.floor(habits.random() * 20);
        const isRight = habits.random() < habits.skill;
        points += isRight ? 1 : 0;
        t += seconds * 1000;
        const response = (isRight ? right : wrong)(block.question);
        add(sco, "block.answer", id, { response, ms: seconds * 1000, attempt: no });
      }
      t += 3000;
      add(sco, "quiz.end", undefined, { attempt: no });
      isPassed = (points / ids.length) * 100 >= quiz.passPercent;
    }
  }
  return steps;
}

type Action = { type: Step["type"]; key: string; value: unknown; seconds: number };

function actionsOf(block: LessonBlock, { random, skill }: Omit<Habits, "unclear">): Action[] {
  const seconds = 4 + Math.floor(random() * 20);
  const act = (type: Step["type"], key: string, value: unknown): Action => ({ type, key, value, seconds });
  switch (block.kind) {
    case "question": {
      const answer = (response: QuestionResponse) => act("block.answer", block.id, { response, ms: seconds * 1000 });
      if (random() < skill) return [answer(right(block.question))];
      const second = random() < skill ? right : wrong;
      return [answer(wrong(block.question)), answer(second(block.question))];
    }
    case "checklist":
      return [
        act(
          "block.check",
          block.id,
          block.items.map(({ id }) => id),
        ),
      ];
    case "confirmation":
      return [act("block.confirm", block.id, { zone: "Europe/Oslo" })];
    case "reflection":
      return [act("variable.set", block.variable, places[Math.floor(random() * places.length)])];
    case "rating":
      return [act("variable.set", block.variable, 2 + Math.floor(random() * 4))];
    case "slider":
      return [act("variable.set", block.variable, 3 + Math.floor(random() * 8))];
    case "scenario":
      return walkThrough(block, { random, skill });
    default:
      return [];
  }
}

/** The way to an ending: mostly a choice with the most points. */
function walkThrough(
  block: Extract<LessonBlock, { kind: "scenario" }>,
  { random, skill }: Omit<Habits, "unclear">,
): Action[] {
  const actions: Action[] = [];
  let step = block.steps[0];
  while (step && !step.ending && actions.length < block.steps.length * 2) {
    const { id, variable, choices } = step;
    const most = Math.max(...choices.map(({ points }) => points));
    const isGood = random() < skill * 0.75;
    const open = isGood ? choices.filter(({ points }) => points === most) : choices;
    const choice = open[Math.floor(random() * open.length)];
    if (!choice) break;
    const seconds = 8 + Math.floor(random() * 25);
    const value = { step: id, choice: choice.id, ms: seconds * 1000 };
    actions.push({ type: "block.choose", key: block.id, value, seconds });
    if (variable) actions.push({ type: "variable.set", key: variable, value: plainText(choice.text), seconds: 0 });
    step = stepByKey(block, choice.to);
  }
  return actions;
}

const places = [
  "on the roof of the substation",
  "on the ladder in transformer hall 2",
  "on the truck bed at the depot",
  "on the pylon of line 14",
];

function right(question: Question): QuestionResponse {
  switch (question.kind) {
    case "single":
    case "multiple":
      return { kind: "choices", chosen: question.choices.flatMap(({ id, isRight }) => (isRight ? id : [])) };
    case "trueFalse":
      return { kind: "trueFalse", value: question.isTrue };
    case "match":
      return { kind: "match", pairs: Object.fromEntries(question.pairs.map(({ id, rightId }) => [id, rightId])) };
    case "order":
      return { kind: "order", ids: question.items.map(({ id }) => id) };
    case "fill":
      return {
        kind: "fill",
        gaps: Object.fromEntries(
          question.pieces.flatMap((piece) => (piece.kind === "gap" ? [[piece.id, piece.answers[0] as string]] : [])),
        ),
      };
    case "number":
      return { kind: "number", value: question.answer };
    case "shortText":
      return { kind: "text", text: question.answers[0] as string };
  }
}

function wrong(question: Question): QuestionResponse {
  switch (question.kind) {
    case "single":
    case "multiple":
      return {
        kind: "choices",
        chosen: question.choices.flatMap(({ id, isRight }) => (isRight ? [] : id)).slice(0, 1),
      };
    case "trueFalse":
      return { kind: "trueFalse", value: !question.isTrue };
    case "match": {
      const ids = question.pairs.map(({ rightId }) => rightId);
      return {
        kind: "match",
        pairs: Object.fromEntries(question.pairs.map(({ id }, n) => [id, ids[(n + 1) % ids.length] as string])),
      };
    }
    case "order":
      return { kind: "order", ids: question.items.map(({ id }) => id).toReversed() };
    case "fill":
      return {
        kind: "fill",
        gaps: Object.fromEntries(question.pieces.flatMap((piece) => (piece.kind === "gap" ? [[piece.id, "two"]] : []))),
      };
    case "number":
      return { kind: "number", value: question.answer * 2 };
    case "shortText":
      return { kind: "text", text: "112" };
  }
}

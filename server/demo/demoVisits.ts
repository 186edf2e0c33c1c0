import { lastPageValues } from "#server/demo/demoVariables.ts";
import type { Step, Visit } from "#server/demo/demoHistory.ts";
import { formatTimespan } from "#shared/player/runTimeData.ts";

// Visits to the two courses of the demo, as the packages report them: what a learner sees and does, in this order

/** Ms between two calls of a package. */
const CALL_MS = 15;

/** The events of a part in order. `at` moves the clock to a second; without it, each call directly follows the last. */
export function createLog(sco: string) {
  const events: Step[] = [];
  let now = 0;
  const add = (event: Omit<Step, "t">) => {
    events.push({ t: Math.round(now), ...event });
    now += CALL_MS;
  };
  return {
    events,
    at: (seconds: number) => {
      now = Math.max(now, seconds * 1000);
    },
    call: (type: Step["type"]) => add({ type, sco }),
    set: (key: string, value: string | number) => add({ type: "scorm.set", sco, key, value: String(value) }),
    share: (key: string, value: string | number) =>
      add({ type: "variable.set", sco, key, value: JSON.stringify(value) }),
  };
}

/** The five questions of "Phishing: see it, report it", with a right and a wrong response. */
const questions = [
  { id: "q1-owner", type: "choice", right: "b", wrong: "a" },
  { id: "q2-five-minutes", type: "choice", right: "a,c,d", wrong: "a,b,c" },
  { id: "q3-caller", type: "true-false", right: "f", wrong: "t" },
  { id: "q4-minutes", type: "numeric", right: "5", wrong: "30" },
  { id: "q5-gift-cards", type: "choice", right: "c", wrong: "b" },
];
/** Seconds that learners read the comment on an answer, and the result. */
const COMMENT = 6;
const RESULT = 15;
const PASS_MARK = 80;

/**
 * A visit to the SCORM 1.2 course: the slides, and the quiz if `right` (per question) is given. `first` is the number
 * of earlier answers, `before` is what earlier visits have shown.
 */
export const phishing = (
  at: Date,
  minutes: number,
  slides: string[],
  right: boolean[] | null,
  { first = 0, before = [] as string[] } = {},
): Visit => ({
  at,
  minutes,
  steps: ({ parts }) => {
    const log = createLog(parts[0]?.sco as string);
    const { set } = log;
    const state = { v: 1, seen: [...before], x: {}, q: {} as Record<string, { a: string[]; ok: number }> };
    const responseTimes = (right ?? []).map((_, i) => 9 + ((i * 7 + minutes) % 23));
    const quiz = responseTimes.reduce((sum, seconds) => sum + seconds + COMMENT, right ? RESULT : 0);
    const perSlide = (minutes * 60 - quiz - 3) / slides.length;
    let second = 1;
    const save = () => {
      set("cmi.suspend_data", JSON.stringify(state));
      set("cmi.core.session_time", formatTimespan(second));
      log.call("scorm.commit");
    };
    const show = (slide: string, seconds: number) => {
      log.at(second);
      if (!state.seen.includes(slide)) state.seen.push(slide);
      set("cmi.core.lesson_location", slide);
      save();
      second += seconds;
    };

    log.call("nav");
    log.call("scorm.init");
    if (before.length === 0) set("cmi.core.lesson_status", "incomplete");
    set("cmi.core.exit", "suspend");
    for (const slide of slides) show(slide, perSlide);
    for (const [i, ok] of (right ?? []).entries()) {
      const question = questions[i] as (typeof questions)[number];
      const responseTime = responseTimes[i] as number;
      show(question.id, responseTime);
      log.at(second);
      const response = ok ? question.right : question.wrong;
      const name = `cmi.interactions.${first + i}`;
      set(`${name}.id`, question.id);
      set(`${name}.type`, question.type);
      set(`${name}.correct_responses.0.pattern`, question.right);
      set(`${name}.student_response`, response);
      set(`${name}.result`, ok ? "correct" : "wrong");
      set(`${name}.latency`, formatTimespan(responseTime));
      state.q[question.id] = { a: response.split(","), ok: ok ? 1 : 0 };
      save();
      second += COMMENT;
    }
    const score = right ? (right.filter(Boolean).length / right.length) * 100 : 0;
    if (right) {
      set("cmi.core.score.min", 0);
      set("cmi.core.score.max", 100);
      set("cmi.core.score.raw", score);
      set("cmi.core.lesson_status", score >= PASS_MARK ? "passed" : "failed");
      log.share("quiz_score", score);
      save();
      show("result", RESULT);
    }
    log.at(minutes * 60 - 1);
    set("cmi.core.session_time", formatTimespan(minutes * 60));
    set("cmi.core.exit", score >= PASS_MARK ? "" : "suspend");
    log.call("scorm.commit");
    log.call("scorm.terminate");
    return [...log.events, { t: minutes * 60_000 - 500, type: "exit" }];
  },
});

/** Everything that a visit with the quiz has shown. */
export const seenWithQuiz = (slides: string[]) => [...slides, ...questions.map(({ id }) => id), "result"];

/** The steps of the four parts of "Difficult conversations for team leads". */
const partSteps = [
  ["later", "p1-facts", "three", "p1-aim", "p1-setting", "end"],
  ["minute", "anatomy", "p2-order", "p2-sting", "aloud", "end"],
  ["answers", "p3-silence", "p3-match", "p3-echo", "p3-calm", "end"],
  ["chair", "scene", "own", "ready", "end"],
];
/** Steps of a part that a learner leaves halfway. */
const HALF = 3;

/** A visit to the SCORM 2004 course: completed `parts`, and optionally one part left halfway through. */
export const conversations = (at: Date, minutes: number, parts: number[], half: number | null = null): Visit => ({
  at,
  minutes,
  steps: (launch) => {
    const visited = [
      ...parts.map((index) => ({ index, done: true })),
      ...(half === null ? [] : [{ index: half, done: false }]),
    ];
    const perPart = (minutes * 60 - 2) / visited.length;
    const events = visited.flatMap(({ index, done }, n) =>
      visitPart(launch.parts[index]?.sco as string, {
        index,
        done,
        from: n * perPart,
        seconds: perPart - 2,
        scaled: (0.7 + ((index * 13 + minutes) % 30) / 100).toFixed(2),
        values: lastPageValues(((at.getTime() / 1000) % 1000) / 1000),
      }),
    );
    return [...events, { t: minutes * 60_000 - 500, type: "exit" }];
  },
});

type PartVisit = {
  index: number;
  done: boolean;
  from: number;
  seconds: number;
  scaled: string;
  values: ReturnType<typeof lastPageValues>;
};
/** One part: each step when it is shown, an exercise as solved once the next step is shown, the result at the end. */
function visitPart(sco: string, { index, done, from, seconds, scaled, values }: PartVisit): Step[] {
  const log = createLog(sco);
  const { set } = log;
  const all = partSteps[index] ?? [];
  const steps = done ? all : all.slice(0, HALF);
  const state = {
    v: 1,
    seen: [] as string[],
    x: {},
    c: {} as Record<string, { first: number; ok: number }>,
    done: 0,
    won: 0,
  };
  log.at(from);
  log.call("nav");
  log.call("scorm.init");
  set("cmi.exit", "suspend");
  set("cmi.completion_status", "incomplete");
  for (const [n, step] of steps.entries()) {
    log.at(from + 1 + (n * (seconds - 1)) / steps.length);
    const before = steps[n - 1];
    if (before && /^p\d-/.test(before)) state.c[before] = { first: 1, ok: 1 };
    state.seen.push(step);
    set("cmi.location", step);
    if (step === "own") for (const [key, value] of values.slice(0, -1)) log.share(key, value);
    if (step === "ready") for (const [key, value] of values.slice(-1)) log.share(key, value);
    const isEnd = step === "end";
    set("cmi.progress_measure", isEnd ? 1 : (state.seen.length / all.length).toFixed(2));
    if (isEnd) {
      Object.assign(state, { done: 1, won: 1 });
      set("cmi.score.scaled", scaled);
      set("cmi.completion_status", "completed");
      set("cmi.success_status", "passed");
    }
    set("cmi.suspend_data", JSON.stringify(state));
    log.call("scorm.commit");
  }
  log.at(from + seconds);
  set("cmi.session_time", `PT${Math.max(1, Math.round(seconds / 60))}M`);
  set("cmi.exit", done ? "normal" : "suspend");
  log.call("scorm.terminate");
  return log.events;
}

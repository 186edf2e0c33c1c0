import { createFacts, DAY_MS, type Plan, PER_LEARNER, range, shareOf } from "./facts.ts";
import { hashOf, pick } from "./values.ts";

// What was said in an academy of this size: conversations one after the other, each a function of its number.

const HOUR_MS = 3_600_000;
/** How long ago the first one was. */
const DAYS = 690;
/** Visitors' conversations are kept for 30 days. */
const VISITOR_DAYS = 28;
/** UTC hours in which people write, as often as they do. */
const hours = [5, 6, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 11, 11, 12, 13, 13, 14, 14, 15, 16, 17, 18, 19, 20, 21, 22];
/** The state of answers by a roll from 0 to 1, their ratings, and their level where chatbots give hints first. */
const states = { done: 0.84, refused: 0.92, stopped: 0.95, cut: 0.97, failed: 0.99, limited: 1 };
const ratings = { up: 0.72, down: 1 };
const levels = { hint: 0.6, partial: 0.8, full: 1 };
const kinds = ["answer", "rolePlay", "hints", "public"] as const;
/** Criteria of role plays. */
export const rubric = ["clarity", "listening", "agreement"].map((id) => ({
  id,
  name: id,
  description: "From 1 to 5.",
}));
/** Some of the courses report the answers to their questions. */
export const reportsAnswers = (course: number) => course % 4 === 0;

const openers =
  "How do I|Who helps me to|When do I have to|Where do I find out how to|Am I allowed to|What do I need to|Who has to".split(
    "|",
  );
const tasks =
  "report a near miss|swap a shift|lock a machine|lift a heavy load|store oily rags|test the gloves|replace a badge|order safety shoes|book a training room|hand over a shift|report a lost laptop|correct my hours|clean the fryer|check a ladder|call first aid|invite a supplier".split(
    "|",
  );
const places =
  "|in the warehouse|on a night shift|with a new colleague|at the second site|during a holiday|after an accident|when nobody is there".split(
    "|",
  );
const sentences =
  "Tell your team lead before the end of the shift.|The form is on the notice board and in the staff app.|Wait until the machine stands still and the light is green.|Two people have to sign.|Keep the way to the exit free.|The list hangs next to the first-aid box.|You do not have to give your name.|It takes three working days at most.|Ask the colleague who trained you to watch the first time.|Write down date, place and what you saw.|A photo helps, as long as nobody is on it.|The rule holds for visitors and contractors, too.|If in doubt, stop and ask.|Put on gloves and glasses first.|The key stays with the person who has locked it.|Afterwards tell the office, so that the plan is right.".split(
    "|",
  );

/** The number of a question of a chatbot; a few are asked very often. */
export const QUESTIONS = 240;
export const questionText = (bot: number, question: number) => {
  const n = (bot * 101 + question) % (openers.length * tasks.length * places.length);
  const place = places[Math.floor(n / (openers.length * tasks.length))];
  const task = tasks[Math.floor(n / openers.length) % tasks.length];
  return `${openers[n % openers.length]} ${task}${place ? ` ${place}` : ""}?`;
};

export const kindOf = (bot: number) => kinds[bot % kinds.length] as (typeof kinds)[number];
/** Whether its model has a price. */
export const isPriced = (bot: number) => bot % 9 !== 5;
type Begun = { n: number; bot: number; kind: (typeof kinds)[number]; at: number };
type Found = NonNullable<ReturnType<ReturnType<typeof createTalkFacts>["talkOf"]>>;
/** A conversation, and the number that its first question has in the academy. */
export type Talk = Found & { first: number };
export type Exchange = ReturnType<ReturnType<typeof createTalkFacts>["exchangeOf"]>;

function createTalkFacts(plan: Plan) {
  const { seed, until } = plan;
  const { unit, userOf, enrolmentOf } = createFacts(plan);
  /** A few people write most. */
  const userOfTalk = (n: number, at: number) => {
    for (const attempt of range(20)) {
      const user = Math.floor(plan.learners * unit(101, n, attempt) ** 1.8);
      const { status, createdAt } = userOf(user);
      if (status !== "invited" && createdAt < at) return user;
    }
    return null;
  };
  /** In working hours, and seldom at a weekend. More is written from month to month. */
  const timeOf = (n: number, progress: number) => {
    const any = until - DAY_MS * DAYS * (1 - progress ** 0.7);
    const weekday = Math.floor(any / DAY_MS + 3) % 7;
    const day = Math.floor(any / DAY_MS) - (weekday > 4 && unit(103, n) < 0.85 ? weekday - 4 : 0);
    const at = day * DAY_MS + pick(hours, seed, 104, n) * HOUR_MS + Math.floor(HOUR_MS * unit(105, n));
    return Math.min(at, until - 3 * HOUR_MS);
  };

  /** Conversation `n`, after this share of all of them; null where nobody was found who could hold it. */
  function talkOf(n: number, progress: number) {
    const at = timeOf(n, progress);
    const bot = Math.floor(plan.chatbots * unit(107, n) ** 2.5);
    const kind = kindOf(bot);
    const isVisitor = kind === "public" && at > until - VISITOR_DAYS * DAY_MS && unit(108, n) < 0.3;
    const user = isVisitor ? null : userOfTalk(n, at);
    if (!isVisitor && user === null) return null;
    const isInCourse = user !== null && unit(109, n) < 0.7;
    const enrolment = isInCourse ? enrolmentOf(user * PER_LEARNER + (hashOf(seed, 110, n) % PER_LEARNER)) : null;
    const isLong = unit(111, n) < 0.01;
    const hasEnd = kind === "rolePlay" && unit(113, n) < 0.6;
    const outcome = unit(114, n) < 0.65 ? ("goal" as const) : ("ended" as const);
    return {
      n,
      bot,
      kind,
      user,
      company: user === null ? null : userOf(user).company,
      enrolment: enrolment?.startedAt && enrolment.startedAt < at ? enrolment : null,
      at,
      length: isLong ? 20 + Math.floor(20 * unit(112, n)) : 1 + Math.floor(8 * unit(112, n) ** 2.2),
      outcome: hasEnd ? outcome : null,
      isPreview: user !== null && unit(115, n) < 0.01,
    };
  }

  /** Question and answer `index` of a conversation; `number` counts them in the academy. */
  function exchangeOf({ n, bot, kind, at }: Begun, index: number, number: number) {
    const state = shareOf(unit(121, number), states);
    const isShown = state === "done" || state === "stopped" || state === "cut";
    const question = Math.floor(QUESTIONS * unit(122, number) ** 2);
    const length = 2 + (hashOf(seed, 123, number) % 4);
    const text = Array.from({ length }, (_, line) => pick(sentences, seed, 124, number, line)).join(" ");
    const rated = isShown && unit(125, number) < 0.1;
    const isCalled = state !== "limited";
    const tokensIn = 600 + Math.floor(2400 * unit(126, number));
    const tokensOut = 30 * length + Math.floor(60 * unit(127, number));
    const askedAt = at + index * (40_000 + Math.floor(80_000 * unit(128, n)));
    const waited = 250 + Math.floor(2500 * unit(129, number) ** 3);
    return {
      number,
      index,
      question,
      text: isShown ? text : "",
      state,
      isCalled,
      tokensIn: isCalled ? tokensIn : null,
      tokensOut: isCalled ? tokensOut : null,
      cost: isCalled && isPriced(bot) ? tokensIn + 4 * tokensOut : null,
      askedAt,
      firstAt: isCalled && state !== "failed" ? askedAt + waited : null,
      finishedAt: askedAt + waited + 18 * tokensOut,
      rating: rated ? shareOf(unit(131, number), ratings) : null,
      giveAway: kind === "hints" && isShown ? shareOf(unit(130, number), levels) : null,
      sources: isShown && kind !== "rolePlay" && unit(132, number) < 0.65 ? 1 + (hashOf(seed, 133, number) % 2) : 0,
    };
  }

  return { talkOf, exchangeOf };
}

/** What is said, in order: as many conversations as have half as many questions as there are messages. */
export function createTalks(plan: Plan) {
  const { talkOf, exchangeOf } = createTalkFacts(plan);
  const talks = function* (): Generator<Talk> {
    const questions = plan.messages / 2;
    let first = 0;
    for (let n = 0; first < questions; n++) {
      const talk = talkOf(n, first / questions);
      if (!talk) continue;
      const length = Math.min(talk.length, questions - first);
      yield { ...talk, length, first };
      first += length;
    }
  };
  const exchanges = function* (talk: Talk) {
    for (const index of range(talk.length)) yield exchangeOf(talk, index, talk.first + index);
  };
  return { talks, exchanges };
}

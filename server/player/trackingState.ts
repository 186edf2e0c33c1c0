import type { CompletionRule } from "#shared/courses/completionRules.ts";
import type { LessonRefusal } from "#shared/lessons/lessonEvents.ts";
import type { LessonState } from "#shared/lessons/lessonState.ts";
import type { QuizAllowance } from "#shared/lessons/quiz.ts";
import type { ShownDocument } from "#shared/lessons/shownLesson.ts";
import type { StoredSequencing } from "#shared/sequencing/sequenceEvents.ts";
import type { AttemptState, Part } from "#shared/player/player.ts";
import { NAVIGATION_REQUEST, type VisitEnd } from "#shared/player/runTimeData.ts";

// The state of tracking: an attempt, its parts, and the course that it belongs to.

/** `progress` from 0 to 1, as reported; `visits`: how often the part was opened. */
export type PartState = {
  sco: string;
  cmi: Record<string, string>;
  suspendData: string | null;
  completion: "unknown" | "incomplete" | "completed";
  success: "unknown" | "passed" | "failed";
  scorePercent: number | null;
  progress: number | null;
  visits: number;
  terminated: boolean;
  reportedSeconds: number;
  /** Number of the learner attempt, from 0 (SCORM 2004: a visit that is not suspended ends it). */
  learnerAttempt: number;
  /** Reported seconds of earlier learner attempts; cmi.total_time does not include them. */
  secondsBefore: number;
  /** What was done in a lesson; null for parts of packages. */
  lesson: LessonState | null;
};

/** How the last visit of the part has ended. */
export const endOfVisit = ({ terminated, cmi }: PartState): VisitEnd => ({
  terminated,
  exit: cmi["cmi.core.exit"] ?? cmi["cmi.exit"] ?? "",
  request: cmi[NAVIGATION_REQUEST] ?? "",
});

/** The answers of a learner attempt are numbered from its number times this on, so that attempts do not collide. */
export const ANSWERS_PER_ATTEMPT = 100_000;
/**
 * One entry of cmi.interactions. `n`: its index plus the first number of the learner attempt; `t`: the time of its last
 * change in ms since the session began.
 */
export type Answer = { sco: string; n: number; t: number; fields: Record<string, string> };
export type AttemptFacts = {
  completion: AttemptState["completion"];
  success: AttemptState["success"];
  progress: number | null;
  scorePercent: number | null;
  currentPart: string | null;
  reportedSeconds: number;
  /** The learner has marked the course as complete. */
  confirmed: boolean;
  /** Of a package with sequencing rules; null before it was opened. */
  sequencing?: StoredSequencing | null;
};
/**
 * `lessons`: those of the version by part, with the keys of their questions; `extra`: what the learner gets on top in
 * quizzes.
 */
export type Course = {
  parts: Part[];
  rule: CompletionRule;
  lessons?: Map<string, ShownDocument>;
  extra?: Map<string, QuizAllowance>;
  /** An admin has started the course over since: what still arrives is stored, and completes nothing. */
  isOver?: boolean;
  /** The package has sequencing rules, which decide what its result is. */
  isSequenced?: boolean;
};
/** The tries of a question of a lesson are numbered from its place times this on; further ones replace the last. */
export const TRIES_PER_QUESTION = 100;
/** An event of a lesson that changes nothing, and why. */
export type RefusedEvent = { seq: number; reason: LessonRefusal };
export const newPartState = (sco: string): PartState => ({
  sco,
  cmi: {},
  suspendData: null,
  completion: "unknown",
  success: "unknown",
  scorePercent: null,
  progress: null,
  visits: 0,
  terminated: false,
  reportedSeconds: 0,
  learnerAttempt: 0,
  secondsBefore: 0,
  lesson: null,
});

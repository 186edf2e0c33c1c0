import type { CompletionRule } from "#shared/courses.ts";
import type { AttemptState, Part } from "#shared/player.ts";

// The state that tracking works on: an attempt, its parts, and the course it belongs to

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
};
/** One entry of cmi.interactions: `n` is its index, `t` the time of its last change in ms since the session began. */
export type Answer = { sco: string; n: number; t: number; fields: Record<string, string> };
export type AttemptFacts = {
  completion: AttemptState["completion"];
  success: AttemptState["success"];
  progress: number | null;
  scorePercent: number | null;
  currentPart: string | null;
  reportedSeconds: number;
};
export type Course = { parts: Part[]; rule: CompletionRule; kind: "scorm12" | "scorm2004" | "html" };
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
});

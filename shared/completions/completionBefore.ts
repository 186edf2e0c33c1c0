import type { Enrolment } from "#shared/courses/enrolments.ts";

/**
 * What an undo of a decision restores: the enrolment and its attempt as they were, the attempts whose completions were
 * taken back with their times, and the decisions by which they had been set. A decision about an earlier cycle than the
 * present one is not undone.
 */
export type CompletionBefore = {
  cycle: number;
  enrolment: Pick<Enrolment, "status" | "success" | "progress" | "scorePercent" | "completedAt"> & {
    partsDone: number;
    currentPart: string | null;
    firstStartedAt: string | null;
  };
  attempt: Pick<Enrolment, "success" | "progress"> | null;
  completed: { id: string; at: string }[];
  set: string[];
  /** Completions from elsewhere that stood. */
  external?: string[];
};

/**
 * The enrolment that a completion from elsewhere completed, as it was; `isNew`: it did not exist. Undone as long as it
 * is in this cycle.
 */
export type ExternalBefore = Pick<CompletionBefore, "cycle" | "enrolment"> & {
  isNew: boolean;
  happenedAt: string | null;
};

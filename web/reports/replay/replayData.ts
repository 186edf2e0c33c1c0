import type { SessionEvent } from "#shared/player/player.ts";
import type { ReplayTurn, ReplayValue } from "#shared/reports/replays.ts";

/** The loaded data of a session replay. Events and commits are in the order of their numbers. */
export type ReplayData = {
  events: SessionEvent[];
  commits: { firstSeq: number; lastSeq: number; receivedAt: string }[];
  values: ReplayValue[];
  turns: ReplayTurn[];
};

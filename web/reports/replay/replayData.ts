import type { SessionEvent } from "#shared/player/player.ts";
import type { ReplayTurn, ReplayValue } from "#shared/reports/replays.ts";

/** What a replay of a session has loaded. Events and commits are in order of their numbers. */
export type ReplayData = {
  events: SessionEvent[];
  commits: { firstSeq: number; lastSeq: number; receivedAt: string }[];
  values: ReplayValue[];
  turns: ReplayTurn[];
};

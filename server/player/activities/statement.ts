// A statement of xAPI as far as launches look into it. The record store has checked its structure.

export type Agent = { objectType?: string; name?: string; account?: { homePage: string; name: string } };
export type Activity = {
  objectType?: string;
  id: string;
  definition?: {
    type?: string;
    name?: Record<string, string>;
    description?: Record<string, string>;
    interactionType?: string;
    correctResponsesPattern?: string[];
  };
};
export type Score = { scaled?: number; raw?: number; min?: number; max?: number };
export type Result = {
  score?: Score;
  success?: boolean;
  completion?: boolean;
  response?: string;
  duration?: string;
  extensions?: Record<string, unknown>;
};
export type Context = {
  registration?: string;
  contextActivities?: Partial<Record<"parent" | "grouping" | "category" | "other", { id: string }[] | { id: string }>>;
  extensions?: Record<string, unknown>;
};
export type Statement = {
  id?: string;
  actor: Agent & Record<string, unknown>;
  verb: { id: string; display?: Record<string, string> };
  object: Activity & Record<string, unknown>;
  result?: Result;
  context?: Context;
  timestamp?: string;
};

/** The ids of a list of context activities; a single one may stand without a list. */
export function contextIds({ context }: Statement, kind: "parent" | "grouping" | "category" | "other"): string[] {
  const activities = context?.contextActivities?.[kind] ?? [];
  return (Array.isArray(activities) ? activities : [activities]).map(({ id }) => id);
}

/** True if both name the same account. */
export const isSameAgent = (agent: Agent | undefined, { account }: Agent) =>
  (agent?.objectType ?? "Agent") === "Agent" &&
  agent?.account !== undefined &&
  agent.account.homePage === account?.homePage &&
  agent.account.name === account.name;

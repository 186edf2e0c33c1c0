import type { Activity, Agent, Statement } from "#shared/statements/xapi.ts";

/** The activity that is the object of a statement; undefined for agents, statements and substatements. */
export function activityOf({ object }: Statement): Activity | undefined {
  const type = "objectType" in object ? object.objectType : "Activity";
  return type === undefined || type === "Activity" ? (object as Activity) : undefined;
}

/** The ids of a list of context activities. */
export const contextIds = ({ context }: Statement, kind: "parent" | "grouping" | "category" | "other"): string[] => {
  const activities: Activity[] | Activity = context?.contextActivities?.[kind] ?? [];
  // A single one may stand without a list.
  return [activities].flat().map(({ id }) => id);
};

/** True if both name the same account. */
export const isSameAgent = (agent: Statement["actor"] | null | undefined, { account }: Agent) =>
  (agent?.objectType ?? "Agent") === "Agent" &&
  agent?.account !== undefined &&
  agent.account.homePage === account?.homePage &&
  agent.account.name === account.name;

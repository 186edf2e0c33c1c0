import type { Turn } from "#shared/conversations/conversations.ts";

// A conversation is a tree of turns, of which one branch is shown.

/** The chosen child by parent, for the first turns by the empty string. */
export type Choices = Readonly<Record<string, string>>;
export type ShownTurn = { turn: Turn; siblings: readonly string[] };

const keyOf = ({ parentId }: Pick<Turn, "parentId">) => parentId ?? "";

/** The shown branch from the first turn: at each fork the chosen turn, or the newest. */
export function shownBranch(turns: readonly Turn[], choices: Choices): ShownTurn[] {
  const children = Map.groupBy(turns, keyOf);
  const branch: ShownTurn[] = [];
  let next = children.get("");
  for (let key = ""; next; next = children.get(key)) {
    const turn = next.find(({ id }) => id === choices[key]) ?? next.at(-1);
    if (!turn) break;
    branch.push({ turn, siblings: next.map(({ id }) => id) });
    key = turn.id;
  }
  return branch;
}

export const chosen = (choices: Choices, turn: Pick<Turn, "id" | "parentId">): Choices => ({
  ...choices,
  [keyOf(turn)]: turn.id,
});

/** Replaces or adds turns, in the order of the conversation. */
export function withTurns(turns: readonly Turn[], changed: readonly Turn[]): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  for (const turn of changed) byId.set(turn.id, turn);
  return [...byId.values()].toSorted((one, other) => one.number - other.number);
}

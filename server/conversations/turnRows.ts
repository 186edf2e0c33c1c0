import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Turns } from "#server/core/database/db.types.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Conversation, ConversationRow, Turn } from "#shared/conversations/conversations.ts";

export type TurnRow = Selectable<Turns>;

/** True if the node that wrote an answer has died: its lease has expired. */
const isLost = ({ state, leasedUntil }: Pick<TurnRow, "state" | "leasedUntil">) =>
  (state === "waiting" || state === "streaming") && leasedUntil !== null && Date.parse(leasedUntil) < Date.now();

export const toTurn = (row: TurnRow): Turn => ({
  id: row.id,
  parentId: row.parentId,
  number: row.number,
  role: row.role,
  state: isLost(row) ? "cut" : row.state,
  text: row.text,
  sources: row.sources,
  options: row.options,
  code: row.code,
  createdAt: row.createdAt,
  firstAt: row.firstAt,
  finishedAt: row.finishedAt,
  rating: row.rating,
  spoken: row.spoken,
  showsHelp: row.showsHelp,
});

/**
 * A turn as others than its writer read it: that a message may be a call for help is told only to those whom the
 * company has named.
 */
export function toReadTurn(row: TurnRow): Turn {
  const turn = toTurn(row);
  return { ...turn, state: turn.state === "care" ? "done" : turn.state, showsHelp: false };
}

export const readTurn = (db: Db, id: string): Promise<TurnRow> =>
  db.selectFrom("turns").where("id", "=", id).selectAll().executeTakeFirstOrThrow(notFound);

export const readTurns = (db: Db, conversationId: string): Promise<TurnRow[]> =>
  db.selectFrom("turns").where("conversationId", "=", conversationId).orderBy("number").selectAll().execute();

export const selectConversations = (db: Db) =>
  db
    .selectFrom("conversations")
    .innerJoin("chatbots", "chatbots.id", "conversations.chatbotId")
    .leftJoin("chatbotVersions as version", "version.id", "conversations.versionId")
    .leftJoin("courses", "courses.id", "conversations.courseId")
    .select([
      "conversations.id",
      "conversations.chatbotId",
      sql<string>`coalesce(version.name, chatbots.name)`.as("chatbot"),
      "conversations.courseId",
      "courses.title as course",
      "conversations.title",
      "conversations.startedAt",
      "conversations.lastAt",
      "conversations.endedAt",
      "conversations.outcome",
      "conversations.questions",
    ]);

export async function readConversation(db: Db, id: string): Promise<Conversation> {
  const row: ConversationRow = await selectConversations(db)
    .where("conversations.id", "=", id)
    .executeTakeFirstOrThrow(notFound);
  return { ...row, turns: (await readTurns(db, id)).map(toTurn) };
}

/** The turns that lead to one, from the first. */
export function branchTo(turns: TurnRow[], id: string | null): TurnRow[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const branch: TurnRow[] = [];
  for (let turn = id ? byId.get(id) : undefined; turn; turn = turn.parentId ? byId.get(turn.parentId) : undefined)
    branch.unshift(turn);
  return branch;
}

/** The branch that was last on screen: the one of the newest turn. */
export const shownBranch = (turns: TurnRow[]) => branchTo(turns, turns.at(-1)?.id ?? null);

/**
 * A branch without messages that contain a blocked phrase, and without their replies: no model reads them. `isRefused`
 * also finds current phrases in messages that the job (refusedMessages.ts) has not marked yet.
 */
export function withoutBlocked(branch: TurnRow[], isRefused: (text: string) => boolean) {
  const isBlocked = (turn: TurnRow | undefined) =>
    turn !== undefined && (turn.state === "blocked" || (turn.role === "user" && isRefused(turn.text)));
  return branch.filter((turn, at) => !isBlocked(turn) && !isBlocked(branch[at - 1]));
}

/** SQL condition on `turns`: the same for many conversations. */
export const isNotBlocked = sql<boolean>`turns.state <> 'blocked'
  and not exists (
    select from turns question
    where question.id = turns.parent_id
      and question.state = 'blocked')`;

import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Turns } from "#server/core/database/db.types.ts";

type Given = "id" | "parentId" | "role" | "number" | "conversationId";
type Exchange = {
  conversationId: string;
  /** Number of the question; that of the answer follows it. */
  number: number;
  question: Omit<Insertable<Turns>, Given | "state">;
  answer: Omit<Insertable<Turns>, Given>;
};

/** Stores a question and its answer as rows, without a model. */
export async function addExchange(db: Db, { conversationId, number, question, answer }: Exchange) {
  const id = randomUUID();
  await db
    .insertInto("turns")
    .values([
      { ...question, id, conversationId, number, role: "user", state: "stored" },
      { ...answer, id: randomUUID(), conversationId, number: number + 1, parentId: id, role: "assistant" },
    ])
    .execute();
}

import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";

/** The first characters of a question, which are compared. */
export const READ_CHARS = 2000;
/** The newest questions of a group that further ones are compared with, and of all groups of a chatbot. */
const MEMBERS = 20;
const MAX_MEMBERS = 10_000;

/** A question of a group, or the test question of a group whose questions were all deleted. */
export type Member = { clusterId: string; turnId: string | null; questionId: string | null; text: string };

/** The questions by which the groups of a chatbot are known, those of its first group first. */
export async function readMembers(db: Db, chatbotId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select
      question_clusters.id as cluster_id,
      newest.turn_id,
      newest.question_id,
      left(coalesce(newest.text, test_questions.question, ''), ${READ_CHARS}) as text
    from question_clusters
    left join lateral (
      select grouped.turn_id, grouped.question_id, grouped.asked_at, question.text
      from clustered_questions grouped
      join turns question on question.id = grouped.question_id
      where grouped.cluster_id = question_clusters.id
      order by grouped.asked_at desc, grouped.turn_id
      limit ${MEMBERS}
    ) newest on true
    left join test_questions on newest.turn_id is null and test_questions.id = question_clusters.test_question_id
    where question_clusters.chatbot_id = ${chatbotId}
    order by question_clusters.created_at, question_clusters.id, newest.asked_at, newest.turn_id
    limit ${MAX_MEMBERS}`.execute(db);
  return rows;
}

/** Stores how typical questions are of their groups. */
export async function storeTypicality(tx: Tx, rows: { turnId: string; typicality: number }[]) {
  if (rows.length === 0) return;
  await sql`
    update clustered_questions
    set typicality = stored.typicality
    from unnest(
      ${rows.map(({ turnId }) => turnId)}::uuid[],
      ${rows.map(({ typicality }) => typicality)}::real[]
    ) stored (turn_id, typicality)
    where clustered_questions.turn_id = stored.turn_id
      and clustered_questions.typicality <> stored.typicality`.execute(tx);
}

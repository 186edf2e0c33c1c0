import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { createQuestionIndex, questionKey } from "#server/analysis/questionKeys.ts";
import { readStems } from "#server/analysis/stems.ts";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { announceChange } from "#server/core/live/announce.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";

/** Questions that are grouped in one transaction; a job goes on until none is left. */
const BATCH = 500;
/** Characters of a question that are compared. */
const READ_CHARS = 2000;

type Asked = {
  turnId: string;
  questionId: string;
  conversationId: string;
  chatbotId: string;
  text: string;
  at: string;
};

/**
 * Puts new questions without an answer into the group of the same question, and opens answered groups that are asked
 * again.
 */
export const groupQuestions = job(
  "analysis:groupQuestions",
  z.object({}),
  async (services) => {
    while ((await groupBatch(services)) === BATCH);
  },
  "* * * * *",
);

async function groupBatch(services: Services): Promise<number> {
  return inTransaction(services.db, async (tx) => {
    // One node at a time: two would open two groups for the same question.
    await sql`select pg_advisory_xact_lock(hashtext('question clusters'))`.execute(tx);
    await removeEmptied(tx);
    const asked = await readUngrouped(tx);
    for (const [chatbotId, own] of Map.groupBy(asked, (one) => one.chatbotId))
      await groupOf(services, tx, chatbotId, own);
    if (asked.length > 0) await announceChange(tx, { domain: "questionClusters" });
    return asked.length;
  });
}

/** What people deleted takes its group with it, unless an answer was written for it. */
const removeEmptied = (tx: Tx) =>
  sql`delete from question_clusters k where not (status = 'answered' and test_question_id is not null)
    and not exists (select from clustered_questions c where c.cluster_id = k.id)`.execute(tx);

async function readUngrouped(db: Db): Promise<Asked[]> {
  const { rows } = await sql<Asked>`
    select a.id as turn_id, q.id as question_id, c.id as conversation_id, c.chatbot_id, left(q.text, ${READ_CHARS}) as text, a.created_at as at
    from turns a join turns q on q.id = a.parent_id join conversations c on c.id = a.conversation_id and not c.is_preview
    where a.state = 'refused' and q.state <> 'blocked' and not exists (select from clustered_questions g where g.turn_id = a.id)
    order by a.created_at, a.id limit ${BATCH}`.execute(db);
  return rows;
}

async function groupOf(services: Services, tx: Tx, chatbotId: string, asked: Asked[]) {
  const known = await readKnown(tx, chatbotId);
  const stemsOf = await readStems(
    tx,
    [...known, ...asked].map(({ text }) => text),
  );
  const groups = createQuestionIndex(
    known.map(({ id, text }) => ({ group: id, key: questionKey(text, stemsOf(text)) })),
  );
  const added: string[] = [];
  const rows = asked.map(({ text, at, chatbotId: _of, ...refs }) => {
    const key = questionKey(text, stemsOf(text));
    let clusterId = groups.find(key);
    if (!clusterId) {
      clusterId = randomUUID();
      groups.add({ group: clusterId, key });
      added.push(clusterId);
    }
    return { ...refs, clusterId, askedAt: at };
  });
  if (added.length > 0)
    await tx
      .insertInto("questionClusters")
      .values(added.map((id) => ({ id, chatbotId })))
      .execute();
  await tx.insertInto("clusteredQuestions").values(rows).execute();
  await reopen(
    services,
    tx,
    rows.map(({ turnId }) => turnId),
  );
}

/** The groups of a chatbot, each with its earliest question that still exists, or else its test question. */
async function readKnown(db: Db, chatbotId: string): Promise<{ id: string; text: string }[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select k.id, left(coalesce(first.text, test.question, ''), ${READ_CHARS}) as text from question_clusters k
    left join lateral (select q.text from clustered_questions g join turns a on a.id = g.turn_id join turns q on q.id = a.parent_id
      where g.cluster_id = k.id order by g.asked_at, g.turn_id limit 1) first on true
    left join test_questions test on test.id = k.test_question_id
    where k.chatbot_id = ${chatbotId} order by k.created_at, k.id`.execute(db);
  return rows;
}

/**
 * Opens answered groups whose answer could be found when they were asked again: while its version is read, it cannot.
 */
async function reopen(services: Services, tx: Tx, turnIds: string[]) {
  const { rows } = await sql<{
    id: string;
    ownerId: string | null;
    answeredBy: string | null;
    at: string;
    name: string;
  }>`
    update question_clusters k set status = 'open', reopened_at = again.at
    from (select g.cluster_id, max(g.asked_at) as at from clustered_questions g where g.turn_id = any(${turnIds}::uuid[]) group by 1) again, chatbots b
    where b.id = k.chatbot_id and again.cluster_id = k.id and k.status = 'answered' and again.at > k.answered_at and not exists (
      select from document_versions v where v.id = k.answer_version_id
        and (v.state in ('waiting', 'checking', 'reading', 'splitting', 'indexing', 'testing') or v.ready_at > again.at))
    returning k.id, k.owner_id, k.answered_by, k.reopened_at as at, b.name`.execute(tx);
  for (const { id, ownerId, answeredBy, at, name } of rows) {
    await notify(services, tx, {
      to: { responsible: ownerId ?? answeredBy },
      kind: "questionAskedAgain",
      params: { name },
      link: `/reports/conversation-analytics?tab=unanswered&question=${id}`,
      key: `questionAskedAgain ${id} ${at}`,
    });
  }
}

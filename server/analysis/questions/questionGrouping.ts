import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { readMembers, storeTypicality, READ_CHARS } from "#server/analysis/questions/groupMembers.ts";
import { createQuestionGroups, type Terms, termsOf } from "#server/analysis/questions/questionGroups.ts";
import {
  embedQuestions,
  type QuestionModel,
  readVectors,
  spreadIn,
} from "#server/analysis/questions/questionVectors.ts";
import { readWords } from "#server/analysis/readWords.ts";
import { createBreather } from "#server/core/breather.ts";
import { inTransaction, type Db, type Tx } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { notify } from "#server/notifications/notify.ts";

/** The number of questions that one transaction groups; a job continues until none is left. */
const BATCH = 500;
/** Version of the grouping rules. Open groups of earlier versions are rebuilt, except those with an owner or answer. */
const RULES = 2;

type Asked = {
  turnId: string;
  questionId: string;
  conversationId: string;
  chatbotId: string;
  text: string;
  at: string;
};

/** Adds new unanswered questions to the groups of similar ones, and reopens answered groups that are asked again. */
export const groupQuestions = job(
  "analysis:groupQuestions",
  z.object({}),
  async (services) => {
    await services.admission.pause();
    await removeOutdated(services.db);
    for (;;) {
      // Not in the transaction of the batch: a provider may be slow.
      const model = (await readUngrouped(services.db, 1)).length > 0 ? await embedQuestions(services) : null;
      if ((await groupBatch(services, model)) < BATCH) return;
    }
  },
  "* * * * *",
);

async function groupBatch(services: Services, model: QuestionModel | null): Promise<number> {
  return inTransaction(services.db, async (tx) => {
    // One node at a time: two would open two groups for the same question.
    await sql`select pg_advisory_xact_lock(hashtext('question clusters'))`.execute(tx);
    await removeEmptied(tx);
    const questions = await readUngrouped(tx, BATCH);
    for (const [chatbotId, ofChatbot] of Map.groupBy(questions, (one) => one.chatbotId))
      await groupOf(services, tx, { chatbotId, questions: ofChatbot, model });
    if (questions.length > 0) await announceChange(tx, { domain: "questionClusters" });
    return questions.length;
  });
}

/** Deletes groups whose questions were all deleted, except those with an answer that became a test question. */
const removeEmptied = (tx: Tx) =>
  sql`
    delete from question_clusters
    where not (status = 'answered' and test_question_id is not null)
      and not exists (
        select
        from clustered_questions
        where clustered_questions.cluster_id = question_clusters.id
      )`.execute(tx);

const removeOutdated = (db: Db) =>
  db
    .deleteFrom("questionClusters")
    .where("rules", "<", RULES)
    .where("status", "=", "open")
    .where("ownerId", "is", null)
    .where("answeredAt", "is", null)
    .where("reopenedAt", "is", null)
    .execute();

async function readUngrouped(db: Db, limit: number): Promise<Asked[]> {
  const { rows } = await sql<Asked>`
    select
      refusal.id as turn_id,
      question.id as question_id,
      conversations.id as conversation_id,
      conversations.chatbot_id,
      left(question.text, ${READ_CHARS}) as text,
      refusal.created_at as at
    from turns refusal
    join turns question on question.id = refusal.parent_id
    join conversations on conversations.id = refusal.conversation_id and not conversations.is_preview
    where refusal.state = 'refused'
      and question.state <> 'blocked'
      and not exists (
        select
        from clustered_questions
        where clustered_questions.turn_id = refusal.id
      )
    order by refusal.created_at, refusal.id
    limit ${limit}`.execute(db);
  return rows;
}

type Grouped = { chatbotId: string; questions: Asked[]; model: QuestionModel | null };
async function groupOf(services: Services, tx: Tx, { chatbotId, questions, model }: Grouped) {
  const members = await readMembers(tx, chatbotId);
  const wordsOf = await readWords(
    tx,
    [...members, ...questions].map(({ text }) => text),
  );
  const vectors = model
    ? await readVectors(
        tx,
        model,
        [...members, ...questions].flatMap(({ questionId }) => questionId ?? []),
      )
    : new Map<string, Float32Array>();
  const breathe = createBreather();
  const terms = new Map<string, Terms>();
  for (const { text } of [...members, ...questions]) {
    await breathe();
    if (!terms.has(text)) terms.set(text, termsOf(wordsOf(text)));
  }
  const termsIn = ({ text }: { text: string }) => terms.get(text)!;
  const comparedIn = (one: { questionId: string | null; text: string }) => ({
    terms: termsIn(one),
    vector: vectors.get(one.questionId ?? ""),
  });
  const spread = model && spreadIn([...vectors.values()], model.unrelated);
  const groups = createQuestionGroups<string>([...members, ...questions].map(termsIn), { spread });
  for (const member of members) {
    await breathe();
    groups.add(member.clusterId, comparedIn(member));
  }
  const added: string[] = [];
  const joined: (Asked & { clusterId: string })[] = [];
  for (const question of questions) {
    await breathe();
    const compared = comparedIn(question);
    let clusterId = groups.find(compared);
    if (!clusterId) added.push((clusterId = randomUUID()));
    groups.add(clusterId, compared);
    joined.push({ ...question, clusterId });
  }
  if (added.length > 0)
    await tx
      .insertInto("questionClusters")
      .values(added.map((id) => ({ id, chatbotId, rules: RULES })))
      .execute();
  const typicalityOf = (one: { clusterId: string; text: string }) =>
    Math.round(groups.typicality(one.clusterId, termsIn(one)) * 1000) / 1000;
  const rows = joined.map((one) => {
    const { text: _text, at, chatbotId: _of, ...refs } = one;
    return { ...refs, askedAt: at, typicality: typicalityOf(one) };
  });
  await tx.insertInto("clusteredQuestions").values(rows).execute();
  const grown = new Set(rows.map(({ clusterId }) => clusterId));
  await storeTypicality(
    tx,
    members.flatMap((one) =>
      one.turnId && grown.has(one.clusterId) ? { turnId: one.turnId, typicality: typicalityOf(one) } : [],
    ),
  );
  await reopen(
    services,
    tx,
    rows.map(({ turnId }) => turnId),
  );
}

/** Reopens answered groups that were asked again when their answer could be retrieved, not while it was processed. */
async function reopen(services: Services, tx: Tx, turnIds: string[]) {
  const { rows } = await sql<{
    id: string;
    ownerId: string | null;
    answeredBy: string | null;
    at: string;
    name: string;
  }>`
    update question_clusters clusters
    set status = 'open',
      reopened_at = again.at
    from (
      select cluster_id, max(asked_at) as at
      from clustered_questions
      where turn_id = any(${turnIds}::uuid[])
      group by cluster_id
    ) again,
    chatbots
    where chatbots.id = clusters.chatbot_id
      and again.cluster_id = clusters.id
      and clusters.status = 'answered'
      and again.at > clusters.answered_at
      and not exists (
        select
        from document_versions
        where document_versions.id = clusters.answer_version_id
          and (
            document_versions.state in ('waiting', 'checking', 'reading', 'splitting', 'indexing', 'testing')
            or document_versions.ready_at > again.at
          )
      )
    returning clusters.id, clusters.owner_id, clusters.answered_by, clusters.reopened_at as at, chatbots.name
  `.execute(tx);
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

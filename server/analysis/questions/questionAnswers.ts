import { sql } from "kysely";
import { getCluster, lockCluster } from "#server/analysis/questions/questionClusters.ts";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { DOCUMENT_SCOPE } from "#server/documents/documentRows.ts";
import { readMarkdown } from "#server/documents/parsing/markup.ts";
import { textOf } from "#server/documents/parsing/readText.ts";
import { addSection } from "#server/documents/sections.ts";
import { addTestQuestion } from "#server/documents/testing.ts";
import type { ClusterAnswer } from "#shared/analysis/questionClusters.ts";
import type { User } from "#shared/core/users.ts";

/** The most characters of the first sentence of an answer that a test question expects. */
const EXPECTED_CHARS = 200;

/** The first sentence of a text, which the retrieved passages must contain. A long one is cut between two words. */
export function firstSentence(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const sentence = /^.{20,}?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  if (sentence.length <= EXPECTED_CHARS) return sentence;
  const cut = sentence.slice(0, EXPECTED_CHARS + 1).lastIndexOf(" ");
  return sentence.slice(0, cut > 0 ? cut : EXPECTED_CHARS).toWellFormed();
}

type Answered = { documentId: string; versionId: string; expected: string };

/** Adds the answer to a document, or uses a passage of one, and makes the question a test question of that document. */
export async function answerCluster(ctx: Ctx<User>, id: string, { question, answer }: ClusterAnswer) {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    await lockCluster(ctx, tx, id);
    const { documentId, versionId, expected } =
      answer.kind === "passage"
        ? await findPassage(ctx, tx, answer.documentId, answer.passageId)
        : await writeAnswer(ctx, tx, question, answer);
    const test = await addTestQuestion(inTx, documentId, { question, expected, facts: [] });
    await tx
      .updateTable("questionClusters")
      .set({
        status: "answered",
        documentId,
        answerVersionId: versionId,
        testQuestionId: test.id,
        // Not the start of the transaction: it may have waited for the grouping of a question that was asked later.
        answeredAt: sql<string>`clock_timestamp()`,
        answeredBy: ctx.user.id,
        reopenedAt: null,
      })
      .where("id", "=", id)
      .execute();
    await announceChange(tx, { domain: "questionClusters" });
    await record(tx, ctx, { action: "questionClusters.answer", details: { kind: answer.kind } });
    return getCluster(inTx, id);
  });
}

async function writeAnswer(
  ctx: Ctx<User>,
  tx: Tx,
  heading: string,
  answer: Exclude<ClusterAnswer["answer"], { kind: "passage" }>,
): Promise<Answered> {
  const target = answer.kind === "section" ? { documentId: answer.documentId } : { title: answer.title };
  const { id, latest } = await addSection(ctx, tx, target, { heading, text: answer.text });
  const { text, blocks } = textOf(readMarkdown(answer.text));
  const first = blocks.find(({ level }) => level === 0) ?? blocks[0];
  return { documentId: id, versionId: latest.id, expected: firstSentence(text.slice(first?.from, first?.to)) };
}

/** A passage of the live version of a document. */
async function findPassage(ctx: Ctx<User>, tx: Tx, documentId: string, passageId: string): Promise<Answered> {
  const { rows } = await sql<{ text: string; versionId: string }>`
    select passages.text, passages.version_id
    from documents
    join passages on passages.version_id = documents.live_version_id
    where documents.id = ${documentId}
      and passages.id = ${passageId}::bigint
      and ${inScope(ctx.user, DOCUMENT_SCOPE)}`.execute(tx);
  const [passage] = rows;
  if (!passage) throw notFound();
  return { documentId, versionId: passage.versionId, expected: firstSentence(passage.text) };
}

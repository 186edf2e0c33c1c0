import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { getDocument, selectDocuments, utc } from "#server/documents/documentRows.ts";
import { retrieveByWords } from "#server/documents/retrieval/byWords.ts";
import { type documents, MAX_TEST_QUESTIONS, TEST_DEPTH, type TestQuestion } from "#shared/documents/documents.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type Asked = { id: string; question: string; expected: string; facts: string[] };

/** Text for comparison, without case, spaces and list markers. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s•]+/g, " ")
    .trim();

/** Runs a test question on a version, and stores the result. */
async function tryQuestion(db: Db, versionId: string, { id, question, expected, facts }: Asked) {
  const found = await retrieveByWords(db, { question, versionId, limit: TEST_DEPTH });
  const texts = found.map(({ heading, text }) => plain(`${heading} ${text}`));
  const at = texts.findIndex((text) => text.includes(plain(expected)));
  const result = {
    rank: at < 0 ? null : at + 1,
    missing: facts.filter((fact) => !texts.some((text) => text.includes(plain(fact)))),
    testedAt: new Date().toISOString(),
  };
  await db
    .insertInto("testResults")
    .values({ questionId: id, versionId, ...result })
    .onConflict((rows) => rows.columns(["questionId", "versionId"]).doUpdateSet(result))
    .execute();
  return result;
}

/**
 * Runs all test questions of a document on one of its versions, and compares the results with those of the live
 * version.
 */
export async function testVersion(db: Db, documentId: string, versionId: string) {
  const questions = await db
    .selectFrom("testQuestions")
    .where("documentId", "=", documentId)
    .select(["id", "question", "expected", "facts"])
    .execute();
  const before = await db
    .selectFrom("testResults")
    .innerJoin("documents", "documents.liveVersionId", "testResults.versionId")
    .where("documents.id", "=", documentId)
    .where("testResults.versionId", "!=", versionId)
    .select(["questionId", "rank", "missing"])
    .execute();
  let isWorse = false;
  for (const one of questions) {
    const result = await tryQuestion(db, versionId, one);
    const earlier = before.find(({ questionId }) => questionId === one.id);
    if (!earlier) continue;
    if (earlier.rank !== null && result.rank === null) isWorse = true;
    if (result.missing.length > earlier.missing.length) isWorse = true;
  }
  return { isWorse };
}

const selectQuestions = (ctx: Ctx<User>) =>
  selectDocuments(ctx)
    .innerJoin("testQuestions", "testQuestions.documentId", "documents.id")
    .select(["testQuestions.id", "question", "expected", "facts"])
    .select(
      sql<TestQuestion["results"]>`(
        select coalesce(
          json_agg(
            json_build_object(
              'version', version.number,
              'rank', result.rank,
              'missing', result.missing,
              'testedAt', ${utc("result.tested_at")})
            order by version.number desc),
          '[]')
        from test_results result
        join document_versions version on version.id = result.version_id
        where result.question_id = test_questions.id)`.as("results"),
    );

export async function listTestQuestions(ctx: Ctx<User>, documentId: string) {
  await getDocument(ctx, documentId);
  const items = await selectQuestions(ctx)
    .where("documents.id", "=", documentId)
    .orderBy("testQuestions.createdAt")
    .limit(MAX_TEST_QUESTIONS)
    .execute();
  return { items };
}

export async function addTestQuestion(
  ctx: Ctx<User>,
  documentId: string,
  input: BodyOf<typeof documents.addTestQuestion>,
): Promise<TestQuestion> {
  return inTransaction(ctx.db, async (tx) => {
    const inTx = { ...ctx, db: tx };
    const { live } = await getDocument(inTx, documentId);
    const { total } = await tx
      .selectFrom("testQuestions")
      .where("documentId", "=", documentId)
      .select(sql<number>`count(*)::int`.as("total"))
      .executeTakeFirstOrThrow();
    if (total >= MAX_TEST_QUESTIONS) throw conflict("documents.tooManyQuestions", {}, { limit: MAX_TEST_QUESTIONS });
    const { id } = await tx
      .insertInto("testQuestions")
      .values({ documentId, ...input, createdBy: ctx.user.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (live) await tryQuestion(tx, live.id, { id, ...input });
    await record(tx, ctx, { action: "documents.addTestQuestion", object: { documents: documentId } });
    return selectQuestions(inTx).where("testQuestions.id", "=", id).executeTakeFirstOrThrow();
  });
}

export async function removeTestQuestion(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    const question = await selectQuestions({ ...ctx, db: tx })
      .where("testQuestions.id", "=", id)
      .executeTakeFirst();
    if (!question) throw notFound();
    await tx.deleteFrom("testQuestions").where("id", "=", id).execute();
    await record(tx, ctx, { action: "documents.removeTestQuestion" });
  });
}

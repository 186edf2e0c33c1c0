import { expect, test } from "vitest";
import { complete } from "#server/connectors/gateway.ts";
import { addHandbook } from "#server/demo/demoDocuments.ts";
import { retrieve, toQuotable } from "#server/documents/retrieval/retrieve.ts";
import { answered, unanswered } from "#test/handbookQuestions.ts";
import { start } from "#test/start.ts";

const { services, make } = await start();
const admin = await make.admin();
const documentIds = await addHandbook({ ...services, user: admin.user });

/** The heading of the first quoted passage, or null for a refusal, through the connector that needs no key. */
async function headingOf(question: string) {
  const passages = await retrieve(services, { question, documentIds, limit: 5 });
  const messages = [{ role: "user" as const, content: question }];
  const { reason, quotes } = await complete(services, {
    purpose: "document",
    companyId: null,
    messages,
    passages: toQuotable(passages),
  });
  if (reason === "refused") return null;
  return (
    passages
      .find(({ id }) => id === quotes[0]?.passageId)
      ?.heading.split(" › ")
      .at(-1) ?? null
  );
}

test("the demo handbook has some forty passages", async () => {
  const { total } = await services.db
    .selectFrom("passages")
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  expect(total).toBeGreaterThanOrEqual(38);
});

test("nearly all of 70 questions about the handbook quote the right passage", async () => {
  const wrong = [];
  for (const [question, heading] of answered) {
    const found = await headingOf(question);
    if (found !== heading) wrong.push({ question, heading, found });
  }
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(4);
});

test("nearly all of 30 questions without an answer are refused", async () => {
  const wrong = [];
  for (const question of unanswered) {
    const found = await headingOf(question);
    if (found !== null) wrong.push({ question, found });
  }
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(2);
});

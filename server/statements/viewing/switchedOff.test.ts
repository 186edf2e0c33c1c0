import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_CHOICES, measures } from "#shared/measures/measures.ts";
import { statementOf } from "#test/statementOf.ts";
import { createRecordClient } from "#test/statements.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as } = server;
const { call, company, createKey } = createRecordClient(server);

test("a key reads its own statements in full, others without what is switched off", async () => {
  const at = await company();
  const other = await createKey(at.admin, at.company.id);
  const id = randomUUID();
  await at.send(statementOf({ id, result: { success: true, score: { scaled: 0.837 }, duration: "PT5S" } }));
  const choices = { ...DEFAULT_CHOICES, replay: "nobody", activeTime: "nobody", scores: "nobody" } as const;
  await as(at.admin)(measures.update, { params: { id: at.company.id }, body: { choices, version: 0 } });
  const resultFor = async (authorization: string, params: Record<string, string>) => {
    const reply = (await call(authorization, "/statements", { params })).json<{ statements?: [{ result: object }] }>();
    return (reply.statements?.[0] ?? (reply as { result?: object })).result;
  };
  for (const params of [{}, { statementId: id }] as Record<string, string>[]) {
    expect(await resultFor(at.key.authorization, params)).toMatchObject({ score: { scaled: 0.837 }, duration: "PT5S" });
    expect(await resultFor(other.authorization, params)).toEqual({ success: true });
  }
});

import { randomUUID } from "node:crypto";
import { storeStatements } from "#server/statements/platform.ts";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { companies } from "#shared/companies/companies.ts";
import { statements } from "#shared/statements/statements.ts";
import { flows } from "#shared/flows/flows.ts";
import type { Launch } from "#shared/player/player.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { reports } from "#shared/reports/reports.ts";
import { variables } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { statementOf } from "#test/statementOf.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** Everything that admins do with variables and their values. */
export async function changeVariables(server: Server, admin: Person, courseId: string, code: string, session: Launch) {
  const { app, as, db } = server;
  const { define, folded, setValues } = createValueMaker(server);
  const boss = as(admin);
  const uses = [{ courseId, access: "both" as const }];
  const { id, version } = await define(admin, { key: "rating", label: "a secret label", courses: uses });
  await boss(variables.update, { params: { id }, body: { label: "another secret label", version } });
  await setValues(session, [
    ["rating", 5],
    ["one", "a secret value"],
    ["two", 1],
    ["three", 1],
  ]);
  await folded();
  const [three, two, one] = (await boss(variables.newKeys, { query: { courseId } })).body.items;
  await boss(variables.defineKey, { params: { id: one?.id as string }, body: { label: "One", type: "text" } });
  await boss(variables.merge, { params: { id }, body: { otherId: two?.id as string } });
  await boss(variables.ignoreKeys, { body: { ids: [three?.id as string] } });
  await boss(variables.archive, { params: { id } });
  await boss(variables.restore, { params: { id } });
  const value = (await boss(rawData.list, { query: { variableId: id, courseId } })).body.items[0];
  const body = { value: 6, reason: "a secret reason" };
  await boss(rawData.correct, { params: { valueId: String(value?.id) as never }, body });
  await app.inject({
    url: `${rawData.export.path}?courseId=${courseId}&pseudonyms=yes`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const { id: goalId } = await define(admin, { key: "goal" });
  const input = { sourceVariableId: id, target: { kind: "variable" as const, variableId: goalId } };
  const flow = (await boss(flows.create, { body: input })).body;
  await boss(flows.update, { params: { id: flow.id }, body: { version: flow.version, isActive: false } });
  await boss(flows.remove, { params: { id: flow.id } });
  const webhook = (await boss(webhooks.create, { body: { name: "a secret name", url: "https://example.com/secret" } }))
    .body;
  const params = { id: webhook.id };
  await boss(webhooks.update, { params, body: { version: webhook.version, name: "a secret name too" } });
  await boss(webhooks.rotateSecret, { params });
  await boss(webhooks.remove, { params });
  const key = await boss(apiKeys.create, { body: { name: "a secret name", scopes: ["values:read"] } });
  await boss(apiKeys.revoke, { params: { id: key.body.id } });
  const [of] = (await boss(companies.choices)).body.items;
  const client = { name: "a secret name", companyId: of?.id as string, scopes: ["all" as const] };
  const { id: clientId } = (await boss(statements.createClient, { body: client })).body;
  await boss(statements.revokeClient, { params: { id: clientId } });
  await db
    .transaction()
    .execute((tx) => storeStatements(tx, client.companyId, [statementOf()], { publicUrl: "http://localhost:1" }));
  const [statement] = (await boss(statements.list, { query: { companyId: client.companyId } })).body.items;
  await boss(statements.void, { params: { position: statement!.position }, body: { reason: "a secret reason" } });
  const sent = { id: randomUUID(), variableId: goalId, userId: session.learner.id, value: 1 };
  await boss(variables.sendValues, { body: { values: [sent] } });
  await app.inject({
    url: reports.export.path.replace(":id", courseId),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await boss(reports.issue, { params: { id: courseId }, body: {} });
  const { values } = (await boss(rawData.previewDeletion, { body: { courseId } })).body;
  const deleted = await boss(rawData.remove, { body: { courseId, code, values } });
  await boss(rawData.restore, { params: { id: deleted.body.id } });
}

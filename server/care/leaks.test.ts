import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { keyScope } from "#shared/core/users.ts";
import { nameCarer } from "#test/care.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import type { Person } from "#test/start.ts";
import { startTalks } from "#test/talks.ts";

// Who learns that a message was reported: those whom the company has named. What everybody else can read is the same
// with and without the report.

const { server, createBot, talk, admin, handbook, ask } = await startTalks();
const { app, as, make, db } = server;
const CALL = "Honestly, I want to kill myself.";

const { company, learner, course } = await make.classroom();
const [carer, colleague, academyAdmin] = [await make.admin(), await make.admin(), await make.admin()];
await nameCarer(as, carer, company.id);
const bot = await createBot(admin, { access: "course", courseIds: [course.id], documentIds: [handbook.documentId] });
const chat = await talk(learner, bot, course.id);
const answer = await ask(chat, CALL);
const [question] = (await chat.read()).turns;

/** All that can be read by GET with the ids of this conversation, without times. A key may send few requests. */
async function readAll(token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const ids = [chat.conversation.id, question?.id, answer.id, bot.id, company.id, learner.user.id, carer.user.id];
  const replies: Record<string, string> = {};
  const read = async (url: string) => {
    replies[url] = steady((await app.inject({ method: "GET", url, headers })).body);
  };
  for (const { method, path, keyScope: scope } of listContracts()) {
    if (token.startsWith("lyk_") && !scope) continue;
    if (method !== "GET" || path === "/api/live" || path.endsWith("/stream")) continue;
    const urls = /:\w+/.test(path) ? ids.map((id) => path.replace(/:\w+/g, `${id}`)) : [path];
    for (const url of urls) await read(url);
  }
  for (const { user } of [learner, carer]) await read(`/api/exportUserData?userId=${user.id}`);
  return replies;
}
/** Without times and what reading itself changes. */
const steady = (text: string) =>
  (text.includes('"actorRole"') ? "" : text)
    .replaceAll(/D:\d{14}Z?|\/ID \[<.*>\]/g, "…")
    .replaceAll(/"key":"audit[^}]*/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "…")
    .replaceAll(/"(activeSeconds|lastUsedAt|seconds|uptime\w*|bytes|usedBytes|openSessions|forecast)":\s*[^,}]+/g, "");

/** Where two replies begin to differ, with the text around it; nothing if they do not. */
function differenceOf(url: string, before: string, after: string) {
  if (before === after) return [];
  let at = 0;
  while (before[at] === after[at]) at++;
  return [
    { url, before: before.slice(Math.max(0, at - 80), at + 80), after: after.slice(Math.max(0, at - 80), at + 80) },
  ];
}

test("admins of the company and the academy, and API keys, read no difference", async () => {
  await limitToCompany(db, colleague, company.id);
  const keys: string[] = [];
  const createKey = async (who: Person) => {
    const body = { name: "All", scopes: keyScope.options, companyId: company.id };
    return (await as(who)(apiKeys.create, { body })).body.key;
  };
  for (let round = 0; round < 3; round++) keys.push(await createKey(academyAdmin));
  const read = async () => {
    const all: Record<string, string>[] = [];
    for (const token of [colleague.token, academyAdmin.token, keys.shift() ?? ""]) all.push(await readAll(token));
    return all;
  };
  // Reading a conversation for the first time is recorded.
  await read();
  const before = await read();
  expect((await db.deleteFrom("notifications").where("kind", "=", "chatAlert").returning("id").execute()).length).toBe(
    1,
  );
  await db.deleteFrom("mails").where("reason", "=", "notifications.chatAlert").execute();
  const after = await read();
  const differences = before.flatMap((replies, at) =>
    Object.entries(replies).flatMap(([url, text]) => differenceOf(url, text, after[at]?.[url] ?? "")),
  );
  expect(differences).toEqual([]);
  const marked = before.flatMap((replies) =>
    Object.keys(replies).filter((url) => /"state":"care"|"kind":"chatAlert","params"/.test(replies[url] ?? "")),
  );
  // The export of a person's data has what is stored of their conversations.
  expect(marked.filter((url) => !url.startsWith("/api/exportUserData"))).toEqual([]);
  expect(Object.values(before[1] ?? {}).some((text) => text.includes(CALL))).toBe(true);
});

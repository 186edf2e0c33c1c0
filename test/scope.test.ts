import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { courses } from "#shared/courses/courses.ts";
import { eventRegistrations, registrationsExportPath } from "#shared/events/eventRegistrations.ts";
import { BUCKET, OBJECTS_PATH } from "#shared/files/files.ts";
import { learners } from "#shared/learners/learners.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { reports } from "#shared/reports/reports.ts";
import type { Contract } from "#shared/core/route.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { readCompanyRows } from "#test/companyRows.ts";
import { createEventMaker, draftInput } from "#test/events.ts";
import { createConnections, createDocument } from "#test/foreignRows.ts";
import { createForeignValues } from "#test/foreignValues.ts";
import { ENDLESS_STREAMS } from "#test/operations.ts";
import { start } from "#test/start.ts";

// No person has this role today: an admin whose account belongs to one company. The test proves that every query takes
// its rows from the scope of the user (shared/core/users.ts), so that managers of one company can be added without
// opening services.

const server = await start();
const { app, as, make, db } = server;
const events = createEventMaker(server);

const other = await make.classroom();
const own = await make.classroom();
const academy = other.admin;
const invited = `bravo-${randomUUID()}@example.com`;
await as(academy)(learners.invite, {
  body: { companyId: other.company.id, people: [{ email: invited, name: "Bravo Invited" }], courseIds: [] },
});
const launch = await make.launch(other.learner, other.company.id, other.course.id);
await app.inject({
  method: "POST",
  url: player.commit.path.replace(":id", launch.sessionId),
  headers: { [SESSION_HEADER]: launch.token },
  payload: { events: [{ seq: 1, t: 10, type: "scorm.init", sco: "i1" }], activeMs: 1000 },
});
const connections = await createConnections(server, academy, other);
const { apiKey, webhook, flow, sharedFlow, chat, view, analysisWrites, flowWrites } = connections;
const step = await as(academy)(courses.assign, {
  params: { id: other.course.id },
  body: { companyIds: [other.company.id], userIds: [] },
});
const event = await events.createPublished(academy, { visibility: "company", companyId: other.company.id });
const registration = (
  await as(academy)(eventRegistrations.add, {
    params: { id: event.id },
    body: { name: "Bravo Guest", email: `bravo-${randomUUID()}@example.com`, state: "confirmed" },
  })
).body;
const enrolment = (await as(academy)(courses.enrolments, { query: { userId: other.learner.user.id } })).body.items[0];
const owner = { userId: other.learner.user.id, companyId: other.company.id, courseId: other.course.id };
const { value, deletion } = await createForeignValues(db, owner);
const { document, question } = await createDocument(server, academy, other.company.id);
const session = (await as(academy)(reports.learner, { params: { id: other.learner.user.id } })).body.sessions[0];
const issued = (await as(academy)(reports.issue, { params: { id: other.company.id }, body: {} })).body;
const issuedOfLearner = (await as(academy)(reports.issue, { params: { id: other.learner.user.id }, body: {} })).body;
const invitee = await db.selectFrom("users").where("email", "=", invited).select("id").executeTakeFirstOrThrow();
await limitToCompany(db, own.admin, own.company.id);
const manager = own.admin;

/** Ids and names that only rows of the other company contain. */
const marks = [
  other.company.id,
  other.company.name,
  other.company.accessCode,
  other.learner.user.id,
  other.learner.user.email,
  invitee.id,
  invited,
  event.id,
  event.title,
  registration.id,
  registration.email,
  enrolment?.id ?? "no enrolment",
  session?.id ?? "no session",
  issued.id,
  issuedOfLearner.id,
  "Bravo value",
  "Bravo sample",
  "Bravo question",
  chat.conversation.id,
  deletion.id,
  document.id,
  webhook.id,
  webhook.name,
  flow.id,
  sharedFlow.id,
  "Bravo document",
  "Bravo text",
  "Bravo question",
];
const ids = marks.filter((mark) => /^[0-9a-f-]{36}$/.test(mark));

const all = listContracts().map((contract) => ({ name: `${contract.domain}.${contract.name}`, contract }));
const call = async (contract: Contract, path: string, payload?: unknown) => {
  const reply = await app.inject({
    method: contract.method,
    url: path,
    headers: { authorization: `Bearer ${manager.token}` },
    ...(payload !== undefined && { payload: payload as object }),
  });
  return { status: reply.statusCode, text: reply.body };
};
/** What a reply says about the other company, without what the request itself contained. */
const leaks = (text: string, path: string) => marks.filter((mark) => text.includes(mark) && !path.includes(mark));

test("no list or record of another company is read", async () => {
  const found: unknown[] = [];
  for (const { name, contract } of all.filter(
    ({ contract: { method, path } }) => method === "GET" && !ENDLESS_STREAMS.includes(path),
  )) {
    const paths = contract.path.includes(":")
      ? ids.map((id) => contract.path.replace(/:\w+/g, id))
      : ["", "?q=Bravo", `?companyId=${other.company.id}`, `?userId=${other.learner.user.id}`, "?withdrawn=true"].map(
          (query) => contract.path + query,
        );
    for (const path of [...paths, contract.path.replace(":slug", event.slug)]) {
      const { status, text } = await call(contract, path);
      if (status > 499 || leaks(text, path).length > 0) found.push([name, path, status, leaks(text, path)]);
    }
  }
  expect(found).toEqual([]);
});

test("no file or export of another company is read", async () => {
  const path = `companies/${other.company.id}/${randomUUID()}.pdf`;
  await db
    .insertInto("files")
    .values({
      bucket: BUCKET,
      fullPath: path,
      purpose: "document",
      visibility: "company",
      companyId: other.company.id,
      ownerId: academy.user.id,
      contentType: "application/pdf",
      detectedType: "application/pdf",
      size: 1,
      md5Hash: "none",
      sha256: "none",
      storageKey: "none",
    })
    .execute();
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${manager.token}` } });
  expect((await read(`${OBJECTS_PATH}/${encodeURIComponent(path)}`)).statusCode).toBe(404);
  expect((await read(OBJECTS_PATH)).body).not.toContain(path);
  expect((await read(registrationsExportPath(event.id, "csv"))).statusCode).toBe(404);
  const before = await readOtherCompany();
  const address = `${OBJECTS_PATH}/${encodeURIComponent(path)}`;
  const write = async (method: "PATCH" | "DELETE" | "POST", url: string) =>
    (await app.inject({ method, url, payload: {}, headers: { authorization: `Bearer ${manager.token}` } })).statusCode;
  expect(await write("PATCH", address)).toBe(404);
  expect(await write("DELETE", address)).toBe(404);
  expect(await write("POST", `${address}?create_token=true`)).toBe(404);
  expect(await readOtherCompany()).toEqual(before);
});

/**
 * Writes whose subject is the academy itself, the account of the caller, or a guest: no row of a company is addressed.
 */
const WITHOUT_COMPANY =
  /^(auth|accounts|consents|settings|variables|notifications|prompts|buttonPrompts|chatbots|botQuestions|conversations)\.|^analysisRuns\.(create|estimate)$|^connectors\.(create|update|setStatus|test|remove|setSpending)$|^documents\.(create|addPage|addText)$|^courses\.(importPackage|update|setStatus|setLive)$|^companies\.create$|^player\.commit$|^eventRegistrations\.(register|sendLink|confirmEmail|updateMine|acceptOffer|declineOffer|cancelMine|eraseMine)$/;
const PNG = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a", "hex").toString("base64")}`;
const version = { version: event.version };
const people = { ids: [other.learner.user.id, invitee.id] };
const guests = { ids: [registration.id] };
/** A valid write on rows of the other company, for each endpoint that addresses rows of a company: path id and body. */
const writes: Record<string, { id?: string; body?: object }> = {
  "accounts.resetFactors": { id: other.learner.user.id, body: {} },
  "companies.update": { id: other.company.id, body: { name: "Taken over", version: other.company.version } },
  "companies.rotateCode": { id: other.company.id, body: { graceDays: 0, version: other.company.version } },
  "companies.setStatus": { id: other.company.id, body: { status: "suspended", version: other.company.version } },
  "companies.setLogo": { id: other.company.id, body: { dataUrl: PNG, version: other.company.version } },
  "companies.removeLogo": { id: `${other.company.id}?version=${other.company.version}` },
  "companies.removeCourse": { id: other.company.id },
  "recordings.remove": { id: other.company.id },
  "apiKeys.create": { body: { name: "Taken", scopes: ["values:read"], companyId: other.company.id } },
  "apiKeys.revoke": { id: apiKey.id, body: {} },
  "variables.sendValues": {
    body: { values: [{ id: randomUUID(), variableId: value.variableId, userId: other.learner.user.id, value: "x" }] },
  },
  "connectors.setCompanyBudget": { body: { companyId: other.company.id, monthlyBudget: 1 } },
  "documents.update": { id: document.id, body: { title: "Taken over", version: 1 } },
  "documents.archive": { id: document.id, body: {} },
  "documents.restore": { id: document.id, body: {} },
  "documents.remove": { id: document.id },
  "documents.indexAgain": { id: document.id, body: {} },
  "documents.publish": { id: document.id, body: {} },
  "documents.ask": { id: document.id, body: { question: "Bravo?" } },
  "documents.addTestQuestion": { id: document.id, body: { question: "Bravo?", expected: "Bravo" } },
  "documents.removeTestQuestion": { id: question.id },
  ...analysisWrites,
  ...flowWrites,
  "analysis.giveFeedback": { id: chat.conversation.id, body: {} },
  "analysis.object": { id: chat.conversation.id, body: { text: "Taken over" } },
  "webhooks.create": { body: { name: "Taken", url: "https://example.com/", companyId: other.company.id } },
  "webhooks.update": { id: webhook.id, body: { version: 1, name: "Taken over" } },
  "webhooks.rotateSecret": { id: webhook.id, body: {} },
  "webhooks.test": { id: webhook.id, body: {} },
  "webhooks.remove": { id: webhook.id },
  "webhooks.retry": { id: webhook.id, body: {} },
  "learners.invite": { body: { companyId: other.company.id, people: [{ email: "new@example.com", name: "New" }] } },
  "learners.update": { id: other.learner.user.id, body: { name: "Taken over", version: 1 } },
  "learners.resend": { body: people },
  "learners.suspend": { body: people },
  "learners.reactivate": { body: people },
  "learners.undoSuspension": { id: step.body.undoId },
  "learners.move": { body: { ...people, companyId: own.company.id } },
  "courses.assign": { id: own.course.id, body: { companyIds: [other.company.id], userIds: people.ids } },
  "courses.assignMany": { body: { courseIds: [own.course.id], userIds: people.ids } },
  "courses.previewAssignmentMail": { body: { courseIds: [own.course.id], userIds: people.ids } },
  "courses.restore": { id: other.course.id, body: { userIds: people.ids } },
  "learners.assign": { body: { ...people, courseIds: [own.course.id] } },
  "courses.undo": { id: step.body.undoId },
  "courses.withdraw": { id: other.course.id, body: { userIds: people.ids } },
  "courses.setDue": { id: other.course.id, body: { userIds: people.ids, dueDate: "2030-01-01" } },
  "mails.retry": { body: {} },
  "courses.remind": { id: other.course.id, body: { companyId: other.company.id } },
  "player.launch": { id: other.company.id, body: { clientId: randomUUID() } },
  "events.create": { body: draftInput({ visibility: "company", companyId: other.company.id }) },
  "events.update": { id: event.id, body: { ...version, title: "Taken over" } },
  "events.duplicate": { id: event.id, body: { title: "Copy", startsLocal: event.startsLocal, with: [] } },
  "events.publish": { id: event.id, body: version },
  "events.unpublish": { id: event.id, body: version },
  "events.cancel": { id: event.id, body: { ...version, reason: "No reason" } },
  "events.archive": { id: event.id, body: version },
  "events.remove": { id: event.id },
  "eventRegistrations.add": { id: event.id, body: { name: "New", email: "new@example.com", state: "confirmed" } },
  "eventRegistrations.approve": { id: event.id, body: { ...guests, reject: true } },
  "eventRegistrations.offerSeats": { id: event.id, body: guests },
  "eventRegistrations.cancel": { id: event.id, body: { ...guests, notify: false } },
  "eventRegistrations.sendMessage": { id: event.id, body: { filter: {}, subject: "Hello", text: "Hello" } },
  "eventRegistrations.invite": { id: event.id, body: { ...guests, companyId: own.company.id } },
  "eventRegistrations.checkInByTicket": { id: event.id, body: { ticket: registration.reference, device: "door" } },
  "eventRegistrations.checkIn": { id: registration.id, body: { device: "door" } },
  "eventRegistrations.undoCheckIn": { id: registration.id, body: {} },
  "rawData.correct": { id: String(value.id), body: { value: "Taken over", reason: "Taken over" } },
  "rawData.correctMine": {
    id: value.variableId,
    body: { courseId: other.course.id, valueId: Number(value.id), value: "Taken over" },
  },
  "rawData.removeValue": { id: String(value.id) },
  "rawData.previewDeletion": { body: { courseId: other.course.id } },
  "rawData.remove": { body: { courseId: other.course.id, code: other.course.code, values: 1 } },
  "rawData.restore": { id: deletion.id },
  "reports.revealConversationValues": {
    id: chat.conversation.id,
    body: { variableId: other.course.id, reason: "support" },
  },
  "reports.revealValues": { id: session?.id as string, body: { variableId: other.course.id, reason: "support" } },
  "views.create": { body: { name: "Theirs", path: `/reports/company/${other.company.id}`, query: "" } },
  "views.update": { id: view.id, body: { version: view.version, name: "Changed" } },
  "views.remove": { id: view.id },
  "views.mail": { id: view.id, body: { rhythm: "weekly", zone: "UTC" } },
  "reports.issue": { id: other.company.id, body: {} },
  "sso.save": {
    id: other.company.id,
    body: {
      kind: "oidc",
      issuer: "https://id.example.com",
      clientId: "x",
      clientSecret: "y",
      domains: [],
      enforced: false,
      enabled: true,
      version: 0,
    },
  },
  "sso.remove": { id: other.company.id },
  "privacy.erase": { body: { userId: other.learner.user.id } },
};

const readOtherCompany = () => readCompanyRows(db, other.company.id);

test("no row of another company is changed", async () => {
  const before = await readOtherCompany();
  const wrong: unknown[] = [];
  for (const { name, contract } of all.filter(({ contract: { method } }) => method !== "GET")) {
    const write = writes[name];
    if (!write) {
      if (!WITHOUT_COMPANY.test(name))
        wrong.push(`Add ${name} to "writes", with a body for a row of the other company`);
      continue;
    }
    const path = contract.path
      .replace(/:(id|companyId)\b/, write.id ?? "")
      .replace(":courseId", other.course.id)
      .replace(":number", "1")
      .replace(/^(.*)(\?version=\d+)(.*)$/, "$1$3$2");
    const { status, text } = await call(contract, path, write.body);
    const isForbidden = status === 403 && text.includes('"core.forbidden"');
    const isWithoutEffect = /^\{"(changed|added|values)":0|"rawData.nothingToDelete"/.test(text);
    const isRefused = isForbidden || [404, 422].includes(status) || isWithoutEffect;
    if (!isRefused || (status === 422 && !text.includes("companyId"))) wrong.push([name, status, text.slice(0, 200)]);
    const after = await readOtherCompany();
    if (JSON.stringify(after) !== JSON.stringify(before)) wrong.push([name, "changed rows"]);
  }
  expect(wrong).toEqual([]);
});

import { expect, test } from "vitest";
import { detailsText } from "#web/audit/actionText.ts";
import { sentenceOf, sentenceText } from "#web/audit/auditSentence.ts";
import { auditAction, type AuditEntry, NOBODY } from "#shared/audit/audit.ts";

const entry = (action: AuditEntry["action"], change: Partial<AuditEntry> = {}): AuditEntry => ({
  id: "0",
  at: "2026-11-22T08:00:00.000Z",
  action,
  actorId: "a1",
  actor: "Ada Admin",
  actorRole: "admin",
  personId: "p1",
  person: "Lea Learner",
  companyId: "c1",
  company: "Norrvik",
  courseId: "k1",
  course: "First aid",
  eventSlug: "open-day",
  object: null,
  details: { event: "Open day" },
  ...change,
});

test("every action is one sentence with who did it", () => {
  for (const action of auditAction.options) {
    const text = sentenceText(entry(action));
    expect([action, /[<>{}]|undefined|audit\./.test(text)]).toEqual([action, false]);
    const [who] = action.startsWith("account.") ? ["Lea Learner"] : ["Ada Admin"];
    // The server notices it while somebody spends.
    if (action !== "connectors.budget") expect([action, text.includes(who)]).toEqual([action, true]);
    expect([action, text[0]]).toEqual([action, text[0]?.toUpperCase()]);
    expect([action, text.split(" ").length > 2]).toEqual([action, true]);
  }
});

test("people and things are links", () => {
  const linksOf = (action: AuditEntry["action"]) => sentenceOf(entry(action)).flatMap(({ to }) => to ?? []);
  expect(linksOf("companies.removeCourse")).toEqual(["/admin/audit?person=a1", "/courses/k1", "/companies/c1"]);
  expect(linksOf("learners.suspend")).toEqual(["/admin/audit?person=a1", "/admin/audit?person=p1"]);
  expect(linksOf("events.message")).toEqual(["/admin/audit?person=a1", "/events/open-day"]);
});

test("things are named and linked, except where they are gone or the entry is older", () => {
  const named = { object: "Tutor", details: { objectKind: "chatbots", objectId: "o1" } };
  expect(sentenceOf(entry("chatbots.publish", named)).at(-1)).toEqual({
    text: "the chatbot “Tutor”",
    to: "/admin/chatbots/edit/o1",
  });
  const path = { object: "Onboarding", details: { objectKind: "paths", objectId: "o1" } };
  expect(sentenceOf(entry("certificates.pathDesign", path)).at(-1)).toEqual({
    text: "the learning path “Onboarding”",
    to: "/courses/paths/o1",
  });
  expect(sentenceText(entry("documents.remove", { ...named, object: null }))).toBe("Ada Admin deleted a document");
  expect(sentenceText(entry("chatbots.publish"))).toBe("Ada Admin published a chatbot");
});

test("sentences stay whole when people, courses and events are gone", () => {
  const gone = { actorId: null, actor: null, personId: null, person: null, company: null, companyId: null };
  const text = (action: AuditEntry["action"], change = {}) => sentenceText(entry(action, { ...gone, ...change }));
  expect(text("learners.suspend")).toBe("An erased person suspended an erased person");
  expect(text("courses.due", { course: null, courseId: null })).toBe(
    "An erased person changed the due date of a deleted course for an erased person",
  );
  expect(text("events.create", { details: { event: "open-day" }, eventSlug: null })).toBe(
    "An erased person created the event “open-day”",
  );
  expect(text("account.refused", { actorRole: NOBODY, person: "Lea" })).toBe("Someone entered a wrong code for Lea");
  expect(text("privacy.erase", { details: { own: true } })).toBe("An erased person erased their own account");
});

test("details are words: no ids, and no names of the code", () => {
  expect(detailsText({ fields: ["ownerId", "companyIds", "contactName"] })).toBe("owner, companies, contact name");
  expect(detailsText({ source: "upload" })).toBe("uploaded file");
  expect(detailsText({ connectionId: "6272a8e8-9b2b-487e-8080-16ab00001027", conversations: 2 })).toBe(
    "2 conversations",
  );
});

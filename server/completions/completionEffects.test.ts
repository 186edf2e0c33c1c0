import { expect, test } from "vitest";
import { audit } from "#shared/audit/audit.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { learners } from "#shared/learners/learners.ts";
import { createCertifier } from "#test/certificates.ts";
import { addLeader } from "#test/leaders.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// What follows from a completion by hand, and who may read it

const server = await start();
const { as, make, db } = server;
const { school } = createCertifier(server);

async function enrolmentOf(admin: Person, { user }: Person) {
  const { items } = bodyOf(await as(admin)(courses.enrolments, { query: { userId: user.id } }));
  return items[0]?.id as string;
}

test("a completion by hand gives a certificate that says so, and its undo revokes it", async () => {
  const { admin, company } = await school();
  const learner = await make.learner(company.accessCode);
  const id = await enrolmentOf(admin, learner);
  const body = { reason: "Done on paper", attemptNo: 0, status: "assigned" as const };
  const { decisions } = bodyOf(await as(admin)(completions.set, { params: { id }, body }));
  const own = () => as(learner)(certificates.mine).then((reply) => bodyOf(reply).items);
  expect(await own()).toHaveLength(1);
  const issued = await db
    .selectFrom("certificates")
    .where("personId", "=", learner.user.id)
    .select(["facts", "revokedReason"])
    .executeTakeFirstOrThrow();
  expect(issued.facts.rule).toBe("Set complete by an admin");
  bodyOf(await as(admin)(completions.undo, { params: { id: decisions[0]?.id ?? "" } }));
  const revoked = await db
    .selectFrom("certificates")
    .where("personId", "=", learner.user.id)
    .select("revokedReason")
    .executeTakeFirstOrThrow();
  expect(revoked.revokedReason).toBe("An admin took the completion back.");
  const { items } = bodyOf(await as(admin)(audit.list, { query: { personId: learner.user.id, q: "" } }));
  const actions = items.map(({ action }) => action).filter((action) => action.startsWith("completions."));
  expect(actions.toSorted()).toEqual(["completions.set", "completions.undo"]);
  expect(JSON.stringify(items)).not.toContain("Done on paper");
});

test("a manager reads which conditions their people meet, without values and reasons", async () => {
  const { admin, company } = await school();
  const learner = await make.learner(company.accessCode);
  const stranger = await make.learner(company.accessCode);
  const leader = await addLeader(server, { manager: admin, company });
  await as(admin)(learners.setManager, { body: { ids: [learner.user.id], managerId: leader.user.id } });
  const id = await enrolmentOf(admin, learner);
  const reply = bodyOf(await as(leader)(completions.ofTeam, { params: { id } }));
  expect(reply).toMatchObject({ status: "assigned", isMet: false, tests: [{ isMet: false }] });
  expect(JSON.stringify(reply)).not.toMatch(/value|missing|reason/);
  const other = await enrolmentOf(admin, stranger);
  expect((await as(leader)(completions.ofTeam, { params: { id: other } })).status).toBe(404);
  expect((await as(leader)(completions.get, { params: { id } })).status).toBe(403);
  expect((await as(stranger)(completions.ofTeam, { params: { id } })).status).toBe(403);
});

test("the reason is exported for the learner, and gone with them", async () => {
  const { admin, company } = await school();
  const learner = await make.learner(company.accessCode);
  const id = await enrolmentOf(admin, learner);
  const body = { reason: "Seen at the rig", attemptNo: 0, status: "assigned" as const };
  bodyOf(await as(admin)(completions.set, { params: { id }, body }));
  const exported = await as(learner)(privacy.export, { query: {} });
  expect(JSON.stringify(exported.body)).toContain("Seen at the rig");
  expect((await as(learner)(privacy.erase, { body: {} })).status).toBe(200);
  expect(await db.selectFrom("completionDecisions").where("enrolmentId", "=", id).selectAll().execute()).toEqual([]);
});

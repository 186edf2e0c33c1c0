import { expect, test } from "vitest";
import { companies } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { start } from "#test/start.ts";

const { as, make, content, services } = await start();

/** A classroom with an open session; `read` requests the first page of the package, `play` the player shell. */
async function openCourse() {
  const classroom = await make.classroom();
  const { shell } = await make.launch(classroom.learner, classroom.company.id, classroom.course.id);
  const address = `${new URL(shell).pathname.replace("/play/", "/files/")}index.html`;
  return {
    ...classroom,
    read: async () => (await content.inject(address)).statusCode,
    play: async () => (await content.inject(new URL(shell).pathname)).statusCode,
  };
}

test("revokes access after suspension, move or erasure, and for a suspended company", async () => {
  const revocations: ((classroom: Awaited<ReturnType<typeof openCourse>>) => Promise<{ status: number }>)[] = [
    ({ admin, learner }) => as(admin)(learners.suspend, { body: { ids: [learner.user.id], reason: "" } }),
    async ({ admin, learner }) =>
      as(admin)(learners.move, { body: { ids: [learner.user.id], companyId: (await make.company(admin)).id } }),
    ({ admin, learner }) => as(admin)(privacy.erase, { body: { userId: learner.user.id } }),
    ({ admin, company }) =>
      as(admin)(companies.setStatus, {
        params: { id: company.id },
        body: { status: "suspended", version: company.version },
      }),
  ];
  for (const revoke of revocations) {
    const classroom = await openCourse();
    expect((await revoke(classroom)).status).toBe(200);
    expect([await classroom.read(), await classroom.play()]).toEqual([403, 403]);
  }
});

test("grants access to the learner and to an admin with a preview", async () => {
  const classroom = await openCourse();
  expect([await classroom.read(), await classroom.play()]).toEqual([200, 200]);
  const { shell } = await make.launch(classroom.admin, classroom.company.id, classroom.course.id);
  expect((await content.inject(new URL(shell).pathname)).statusCode).toBe(200);
  expect(services.config.contentOrigin).toBe(new URL(shell).origin);
});

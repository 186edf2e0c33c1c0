import { expect, test } from "vitest";
import { companies } from "#shared/companies.ts";
import { learners } from "#shared/learners.ts";
import { privacy } from "#shared/privacy.ts";
import { start } from "#test/start.ts";

const { as, make, content, services } = await start();

/** A learner in a course, and the address of its first page. */
async function inCourse() {
  const room = await make.classroom();
  const { shell } = await make.launch(room.learner, room.company.id, room.course.id);
  const address = `${new URL(shell).pathname.replace("/play/", "/files/")}index.html`;
  return {
    ...room,
    read: async () => (await content.inject(address)).statusCode,
    play: async () => (await content.inject(new URL(shell).pathname)).statusCode,
  };
}

test("the files of a course are closed to who was suspended, moved or erased, and to everybody of a suspended company", async () => {
  const ends: ((room: Awaited<ReturnType<typeof inCourse>>) => Promise<{ status: number }>)[] = [
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
  for (const end of ends) {
    const room = await inCourse();
    expect((await end(room)).status).toBe(200);
    expect([await room.read(), await room.play()]).toEqual([403, 403]);
  }
});

test("they are open to the learner, and to an admin who has a look", async () => {
  const room = await inCourse();
  expect([await room.read(), await room.play()]).toEqual([200, 200]);
  const { shell } = await make.launch(room.admin, room.company.id, room.course.id);
  expect((await content.inject(new URL(shell).pathname)).statusCode).toBe(200);
  expect(services.config.contentOrigin).toBe(new URL(shell).origin);
});

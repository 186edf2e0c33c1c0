import { expect, test } from "vitest";
import { learners } from "#shared/learners/learners.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();

test("undoing a suspension by filter leaves those who were suspended before", async () => {
  const admin = await make.admin();
  const { id: companyId, accessCode } = await make.company(admin);
  const people = [];
  for (const name of ["Xenia", "Yngve", "Zoya"]) people.push(await make.learner(accessCode, name));
  const statuses = async () =>
    (await as(admin)(learners.list, { query: { companyId } })).body.items.map(
      ({ name, status }) => `${name}: ${status}`,
    );
  const [first, second] = people.map(({ user }) => user.id) as [string, string];
  await as(admin)(learners.suspend, { body: { ids: [first], reason: "Left" } });
  const { body } = await as(admin)(learners.suspend, { body: { filter: { companyId } } });
  expect(body.changed).toBe(2);
  expect(await statuses()).toEqual(["Xenia: suspended", "Yngve: suspended", "Zoya: suspended"]);
  // Somebody else has suspended Yngve again meanwhile.
  const other = await make.admin();
  await as(other)(learners.reactivate, { body: { ids: [second] } });
  await as(other)(learners.suspend, { body: { ids: [second] } });
  const params = { id: body.undoId };
  expect((await as(other)(learners.undoSuspension, { params })).status).toBe(404);
  expect((await as(admin)(learners.undoSuspension, { params })).body.changed).toBe(1);
  expect(await statuses()).toEqual(["Xenia: suspended", "Yngve: suspended", "Zoya: active"]);
  expect((await as(admin)(learners.undoSuspension, { params })).status).toBe(404);
});

import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { passBatch } from "#server/flows/propagation.ts";
import { createFlowMaker } from "#test/flows.ts";
import { start } from "#test/start.ts";

// The number of statements does not grow with the number of values, while nothing is folded

const server = await start();
// Only the tests fold and pass on here: statements of the server would not be counted.
await server.folding.stop();
const { services } = server;
const { createGroup, setValues, define, connect, currentOf, passed, pause } = createFlowMaker(server);

/** Passes values on and returns the number of statements. */
async function countStatements() {
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements++;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  while ((await passBatch({ ...services, db: services.db.withPlugin(counting) })).isMore);
  return statements;
}

test("sends as many statements for many values with texts as for few", async () => {
  const { admin, company, course, sessions, learners } = await createGroup(3);
  const courses = [{ courseId: course.id, access: "both" as const }];
  await define(admin, { key: "many_mood", type: "text", courses });
  await define(admin, { key: "many_hint", type: "text", scope: "company", defaultValue: "none" });
  for (const [index, session] of sessions.entries()) await setValues(session, [["many_mood", `mood ${index}`]]);
  const text = "{{value}} {{learner.email}} {{many_mood}} {{many_hint}} {{company.name}} {{course.title}}";
  const counted: number[] = [];
  for (const [key, values] of [
    ["many_few", 1],
    ["many_all", 40],
  ] as const) {
    const source = await define(admin, { key, writeMode: "sum", courses });
    const target = await define(admin, { key: `${key}_texts`, type: "text" });
    for (const session of sessions)
      await setValues(
        session,
        Array.from({ length: values }, (_, index): [string, number] => [key, index]),
      );
    await passed();
    const options = { transform: { kind: "template" as const, text }, includesCurrent: true, isActive: false };
    const flow = (await connect(admin, source.id, target.id, options)).body;
    await pause(admin, flow, true);
    counted.push(await countStatements());
    await passed();
    expect((await currentOf(admin, target.id)).toSorted()).toEqual(
      learners
        .map(({ user }, index) => `${values - 1} ${user.email} mood ${index} none ${company.name} ${course.title}`)
        .toSorted(),
    );
  }
  expect(counted[0]).toBe(counted[1]);
  expect(counted[0]).toBeLessThan(45);
});

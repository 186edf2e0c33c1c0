import { expect, test } from "vitest";
import type { PersonCondition } from "#shared/conditions/conditions.ts";
import { groups, MAX_NESTING } from "#shared/groups/groups.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// Groups that refer to groups: how deep, and how long it takes to find out

const { as, make } = await start();
const admin = await make.admin();
const call = as(admin);

const memberOf = (...ids: string[]): PersonCondition | null =>
  ids.length === 0
    ? null
    : { match: "any", tests: ids.map((group) => ({ kind: "group" as const, group, is: "member" as const })) };
const company = await make.company(admin);
const addGroup = (name: string, rule: PersonCondition | null, companyId = company.id) =>
  call(groups.create, { body: { companyId, name, rule } });

test(`groups refer to each other over ${MAX_NESTING} levels, counted from both ends`, async () => {
  const chain = [bodyOf(await addGroup("Level 0", null))];
  for (let level = 1; level <= MAX_NESTING; level++)
    chain.push(bodyOf(await addGroup(`Level ${level}`, memberOf(chain.at(-1)?.id as string))));
  const tooDeep = { status: 422, body: { issues: [{ path: "rule", code: "groups.tooDeep" }] } };
  expect(await addGroup("Too high", memberOf(chain.at(-1)?.id as string))).toMatchObject(tooDeep);
  const below = bodyOf(await addGroup("Below", null));
  const [lowest] = chain;
  expect(
    await call(groups.update, {
      params: { id: lowest?.id as string },
      body: { rule: memberOf(below.id), version: lowest?.version as number },
    }),
  ).toMatchObject(tooDeep);
});

test("many ways from one group to another are walked once", { timeout: 60_000 }, async () => {
  const dense = await make.company(admin);
  const WIDTH = 18;
  let level: string[] = [];
  const bottom = bodyOf(await addGroup("Bottom", null, dense.id));
  for (let n = 0; n < MAX_NESTING; n++) {
    const rule = memberOf(...(n === 0 ? [bottom.id] : level));
    level = [];
    for (let at = 0; at < WIDTH; at++) level.push(bodyOf(await addGroup(`Group ${n} ${at}`, rule, dense.id)).id);
  }
  const startedAt = performance.now();
  bodyOf(await call(groups.update, { params: { id: bottom.id }, body: { rule: null, version: bottom.version } }));
  const rule: PersonCondition = { match: "all", tests: [{ kind: "status", is: "is", status: "active" }] };
  bodyOf(await call(groups.update, { params: { id: bottom.id }, body: { rule, version: bottom.version + 1 } }));
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

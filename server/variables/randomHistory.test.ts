import { expect, test } from "vitest";
import { createRandom } from "#server/demo/random.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { rawData } from "#shared/rawData/rawData.ts";
import { variables } from "#shared/variables/variables.ts";
import type { VariableScope, WriteMode } from "#shared/variables/variableTypes.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

// A random history of values, corrections, deletions, restorations and an erasure: the derived rows equal a slow and
// simple recomputation from the values

const SEED = Number(process.env.SEED ?? 1);
const server = await start();
const { as, db } = server;
const { createGroup, define, expectRecounted, folded, send, setEvent } = createValueMaker(server);
const random = createRandom(SEED);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(list: T[]) => list[below(list.length)] as T;

type Row = {
  userId: string | null;
  companyId: string;
  attemptId: string | null;
  value: unknown;
  at: number;
  place: number;
};

/** The current value by the write mode. */
const countingValue: Record<WriteMode, (rows: Row[]) => number> = {
  last: (rows) => numberOf(inOrder(rows).at(-1)),
  first: (rows) => numberOf(inOrder(rows)[0]),
  max: (rows) => Math.max(...rows.map(numberOf)),
  min: (rows) => Math.min(...rows.map(numberOf)),
  sum: (rows) => rows.reduce((sum, row) => sum + numberOf(row), 0),
};
const numberOf = (row: Row | undefined) => Number(row?.value);
const inOrder = (rows: Row[]) => rows.toSorted((a, b) => a.at - b.at || a.place - b.place);
const subjectOf = (scope: VariableScope, { userId, companyId, attemptId }: Row) =>
  ({ company: companyId, attempt: attemptId, learner: userId, course: userId })[scope];

test(`what is stored follows from a random history (seed ${SEED})`, { timeout: 120_000 }, async () => {
  const { admin, course, learners, sessions } = await createGroup(5);
  const boss = as(admin);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const kinds = (["attempt", "learner", "company"] as const).flatMap((scope) =>
    (["last", "first", "max", "min", "sum"] as const).map((writeMode) => ({ scope, writeMode })),
  );
  const defined: { id: string; key: string; scope: VariableScope; writeMode: WriteMode }[] = [];
  for (const { scope, writeMode } of kinds) {
    const variable = await define(admin, {
      key: `${scope}_${writeMode}`,
      scope,
      writeMode,
      courses,
      constraints: { max: 90 },
    });
    defined.push({ ...variable, scope, writeMode });
  }
  const seqs = new Map<string, number>();
  const deletions: string[] = [];
  const acts = [
    ...Array.from({ length: 6 }, () => async () => {
      const session = pick(sessions);
      const first = (seqs.get(session.sessionId) ?? 0) + 1;
      const count = 1 + below(4);
      seqs.set(session.sessionId, first + count - 1);
      const events = Array.from({ length: count }, (_, index) =>
        setEvent(first + index, pick(defined).key, below(100), below(50)),
      );
      expect((await send(session, { events })).status).toBe(200);
    }),
    async () => {
      await folded();
      const { items } = (await boss(rawData.list, { query: { courseId: course.id, size: 50 } })).body;
      if (items.length === 0) return;
      const value = pick(items);
      const body = { value: below(90), reason: "random" };
      const { status } = await boss(rawData.correct, { params: { valueId: String(value.id) as never }, body });
      expect(status).toBe(value.corrected ? 409 : 200);
    },
    async () => {
      await folded();
      const { items } = (await boss(rawData.list, { query: { courseId: course.id, size: 50 } })).body;
      if (items.length === 0) return;
      const removed = await boss(rawData.removeValue, { params: { valueId: String(pick(items).id) as never } });
      deletions.push(removed.body.id);
    },
    async () => {
      const input = { courseId: course.id, variableIds: [pick(defined).id] };
      const { values } = (await boss(rawData.previewDeletion, { body: input })).body;
      const removed = await boss(rawData.remove, { body: { ...input, code: course.code, values } });
      if (values > 0) deletions.push(removed.body.id);
    },
    async () => {
      if (deletions.length > 0) await boss(rawData.restore, { params: { id: pick(deletions) } });
    },
  ];
  for (let step = 0; step < 60; step++) await pick(acts)();
  await folded();
  await expectRecounted();

  for (const { id, scope, writeMode } of defined) {
    const rows = await db
      .selectFrom("variableValues")
      .where("variableId", "=", id)
      .where("refusal", "is", null)
      .where("isCorrected", "=", false)
      .where("deletionId", "is", null)
      .selectAll()
      .execute();
    const bySubject = Map.groupBy(
      rows.map((row) => ({ ...row, at: Date.parse(row.happenedAt), place: row.corrects ?? row.id })),
      (row) => subjectOf(scope, row),
    );
    const expected = [...bySubject.values()].map(countingValue[writeMode]).toSorted((a, b) => a - b);
    const { items } = (await boss(variables.values, { params: { id }, query: { sort: "value" } })).body;
    expect([scope, writeMode, items.map(({ current }) => current)]).toEqual([scope, writeMode, expected]);
    const mean = expected.length > 0 ? expected.reduce((sum, value) => sum + value, 0) / expected.length : null;
    const statistics = (await boss(variables.statistics, { params: { id } })).body;
    expect(statistics.mean ?? 0).toBeCloseTo(mean ?? 0, 8);
    expect(statistics).toMatchObject({ subjects: expected.length, values: rows.length, max: expected.at(-1) ?? null });
  }
  await boss(privacy.erase, { body: { userId: pick(learners).user.id } });
  await expectRecounted();
});

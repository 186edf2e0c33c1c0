import { expect, test } from "vitest";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { foldBatch } from "#server/variables/fold/fold.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { db } = server;
const { createGroup, define, folded, setValues } = createValueMaker(server);

test("values that are folded while they are read count once", async () => {
  const { admin, course, learners, sessions } = await createGroup(1);
  const courses = [{ courseId: course.id, access: "both" as const }];
  const points = await define(admin, { key: "points", writeMode: "sum", courses });
  const subjects = new Map([[points.id, learners[0]?.user.id as string]]);
  await folded();
  // Another node folds after each statement of the reader.
  const reader = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await foldBatch(db);
      return result;
    },
  });
  for (const [value, sum] of [
    [1, 1],
    [2, 3],
    [3, 6],
  ] as const) {
    await setValues(sessions[0], [["points", value]]);
    expect((await readCurrentValues(reader, subjects)).get(points.id)?.current).toBe(sum);
  }
});

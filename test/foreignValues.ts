import type { Db } from "#server/core/database/db.ts";

type Owner = { userId: string; companyId: string; courseId: string };

/** A value ("Bravo value"), a key without definition with a value ("Bravo sample"), and a deletion of a learner. */
export async function createForeignValues(db: Db, { userId, companyId, courseId }: Owner) {
  const value = await db
    .insertInto("variables")
    .values({ key: "bravo_key", label: "Bravo variable", type: "text", scope: "learner", status: "active" })
    .returning("id")
    .executeTakeFirstOrThrow()
    .then((variable) =>
      db
        .insertInto("variableValues")
        .values({
          variableId: variable.id,
          userId: userId,
          companyId: companyId,
          courseId: courseId,
          source: "api",
          value: JSON.stringify("Bravo value"),
          happenedAt: new Date().toISOString(),
        })
        .returning(["id", "variableId"])
        .executeTakeFirstOrThrow(),
    );
  const unknownKey = await db
    .insertInto("variables")
    .values({ key: "bravo_unknown", label: "bravo_unknown", type: "text", scope: "learner", status: "new" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("variableCourses")
    .values({ courseId: courseId, key: "bravo_unknown", variableId: unknownKey.id })
    .execute();
  await db
    .insertInto("variableValues")
    .values({
      variableId: unknownKey.id,
      userId: userId,
      companyId: companyId,
      courseId: courseId,
      source: "content",
      value: JSON.stringify("Bravo sample"),
      happenedAt: new Date().toISOString(),
    })
    .execute();
  const deletion = await db
    .insertInto("variableDeletions")
    .values({ companyId: companyId, variableIds: [value.variableId], valueCount: 1 })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { value, deletion };
}

import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { db }, company, course, learner, tag }) {
    const variable = await db
      .insertInto("variables")
      .values({ key: `raw_${tag}`, label: `Raw ${tag}`, type: "text", scope: "learner", status: "active" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("variableCourses")
      .values({ courseId: course.id, key: `raw_${tag}`, variableId: variable.id })
      .execute();
    const value = await db
      .insertInto("variableValues")
      .values({
        variableId: variable.id,
        userId: learner.user.id,
        companyId: company.id,
        courseId: course.id,
        source: "api",
        value: JSON.stringify(`Raw value ${tag}`),
        happenedAt: new Date().toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const deletion = await db
      .insertInto("variableDeletions")
      .values({ companyId: company.id, variableIds: [variable.id], valueCount: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    const courseId = course.id;
    return {
      marks: [`Raw value ${tag}`, deletion.id],
      writes: {
        "rawData.correct": { id: String(value.id), body: { value: "Taken over", reason: "Taken over" } },
        "rawData.correctMine": {
          id: variable.id,
          body: { courseId, valueId: Number(value.id), value: "Taken over" },
        },
        "rawData.removeValue": { id: String(value.id) },
        "rawData.previewDeletion": { body: { courseId } },
        "rawData.remove": { body: { courseId, code: course.code, values: 1 } },
        "rawData.restore": { id: deletion.id },
      },
    };
  },
};

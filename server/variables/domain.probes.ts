import { randomUUID } from "node:crypto";
import { committer } from "#test/commits.ts";
import { variables } from "#shared/variables/variables.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["variables.*"],
  async fill({ server: { as, db }, session, admin, learner, company, course, tag }) {
    const key = `rating_${tag}`;
    const { id: variableId } = bodyOf(
      await as(admin)(variables.create, {
        body: {
          key,
          label: "Rating",
          type: "number",
          leaderboard: true,
          courses: [{ courseId: course.id, access: "both" }],
        },
      }),
    );
    const value = { seq: 5, t: 1, type: "variable.set" as const, sco: "i1", key, value: "7" };
    bodyOf(await committer(as)(session, { events: [value] }));
    const ofLearner = { userId: learner.user.id, companyId: company.id, courseId: course.id };
    const happenedAt = new Date().toISOString();
    const addValue = (id: string, source: "api" | "content", text: string) =>
      db
        .insertInto("variableValues")
        .values({ ...ofLearner, variableId: id, source, value: JSON.stringify(text), happenedAt })
        .execute();
    const addDefinition = async (name: string, status: "active" | "new") => {
      const { id } = await db
        .insertInto("variables")
        .values({ key: name, label: name, type: "text", scope: "learner", status })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db.insertInto("variableCourses").values({ courseId: course.id, key: name, variableId: id }).execute();
      return id;
    };
    await addValue(await addDefinition(`text_${tag}`, "active"), "api", `Value ${tag}`);
    // A key that packages use and nobody has defined
    await addValue(await addDefinition(`unknown_${tag}`, "new"), "content", `Sample ${tag}`);
    const sent = [{ id: randomUUID(), variableId, userId: learner.user.id, value: 1 }];
    return {
      marks: [`Value ${tag}`, `Sample ${tag}`],
      writes: { "variables.sendValues": { body: { values: sent } } },
    };
  },
};

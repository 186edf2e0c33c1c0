import { expect, test } from "vitest";
import { resolveTemplate } from "#server/variables/templates.ts";
import { readTemplateValues } from "#server/variables/templateValues.ts";
import { variables } from "#shared/variables/variables.ts";
import { start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { as, make, db } = server;
const { createGroup, setValues, define } = createValueMaker(server);

test("takes the variable of the course first, then shared ones, then the default", async () => {
  const { admin, company, course, learners, sessions } = await createGroup(1);
  const other = await make.course(admin);
  await define(admin, { key: "tpl_rating", courses: [{ courseId: other.id, access: "both" }], defaultValue: 1 });
  await define(admin, { key: "tpl_rating", courses: [{ courseId: course.id, access: "both" }] });
  await define(admin, { key: "tpl_goal", type: "text", defaultValue: "listen", scope: "company" });
  await setValues(sessions[0], [["tpl_rating", 8]]);
  const origin = {
    userId: learners[0]?.user.id as string,
    companyId: company.id,
    courseId: course.id,
    attemptId: sessions[0]?.attemptId as string,
    reader: "learner" as const,
  };
  const text = "{{tpl_rating}} {{tpl_goal}} {{learner.first_name}} {{course.title}} {{tpl_unknown}}";
  const resolved = await resolveTemplate(db, text, origin, "plain");
  expect(resolved).toEqual({
    text: `8 listen Lea ${course.title} not available`,
    missing: ["tpl_unknown"],
  });
});

test("a model gets only what prompts may use, learners only what they may see", async () => {
  const { admin, company, learners } = await createGroup(1);
  await define(admin, {
    key: "tpl_health",
    type: "text",
    privacy: "sensitive",
    usableInPrompts: false,
    defaultValue: "x",
  });
  await define(admin, { key: "tpl_hidden", type: "text", learnerVisible: false, defaultValue: "y" });
  const origin = { userId: learners[0]?.user.id as string, companyId: company.id, courseId: null, attemptId: null };
  const keysFor = async (reader: "model" | "learner" | "admin") => [
    ...(await readTemplateValues(db, ["{{tpl_health}} {{tpl_hidden}}"], { ...origin, reader })).keys(),
  ];
  expect(await keysFor("model")).toEqual(["tpl_hidden"]);
  expect(await keysFor("learner")).toEqual(["tpl_health"]);
  expect(await keysFor("admin")).toEqual(["tpl_hidden"]);
});

test("previews a text for a learner, escaped for its place", async () => {
  const { admin, company } = await createGroup(1);
  const learner = await make.learner(company.accessCode, "<b>Bo</b> Berg");
  const body = { text: "<p>{{learner.name}} {{tpl_none}}</p>", userId: learner.user.id, target: "html" as const };
  const reply = await as(admin)(variables.preview, { body });
  expect(reply.body).toEqual({ text: "<p>&lt;b&gt;Bo&lt;/b&gt; Berg not available</p>", missing: ["tpl_none"] });
  expect((await as(learner)(variables.preview, { body })).status).toBe(403);
});

import { auth } from "#shared/auth/auth.ts";
import { player } from "#shared/player/player.ts";
import { variables, type VariableInput } from "#shared/variables/variables.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";
import { createClient, createWriter } from "#test/client.ts";
import { variablePackage } from "./packages.ts";
import { addCourse, addLearner, expect, type ServerFixture } from "./server.ts";

// Values of variables, set over HTTP

const definitions: Partial<VariableInput>[] = [
  { key: "rating", label: "I speak up early", type: "number", constraints: { min: 1, max: 10 } },
  { key: "opening", label: "Opening used", type: "choice", constraints: { options: ["facts", "question", "apology"] } },
  { key: "goal", label: "Goal for the next meeting", type: "text" },
  { key: "mobile", label: "Mobile number", type: "text", privacy: "sensitive" },
];

/** A course that uses four variables, and a function that sets values of a new learner in it. */
export async function addValueCourse(app: ServerFixture, title: string) {
  const course = await addCourse(app, variablePackage(`${title}.zip`));
  for (const definition of definitions)
    await app.admin.call(variables.create, {
      body: { ...(definition as VariableInput), courses: [{ courseId: course.id, access: "both" }] },
    });
  const answer = async (name: string, values: [key: string, value: VariableValue][]) => {
    const learner = await addLearner(app, name);
    const client = createClient(app.url);
    client.useToken((await client.call(auth.signIn, { body: learner })).token);
    const session = await client.call(player.launch, {
      params: { companyId: app.company.id, courseId: course.id },
      body: { clientId: crypto.randomUUID() },
    });
    const sco = session.parts[0]?.sco ?? "";
    const writer = createWriter(app.url, session);
    writer.add([{ type: "nav", sco }]);
    writer.add(values.map(([key, value]) => ({ type: "variable.set", sco, key, value: JSON.stringify(value) })));
    expect(await writer.flush()).toBe(true);
    return { ...learner, set: (more: typeof values) => setMore(writer, sco, more) };
  };
  return { ...course, answer };
}

async function setMore(writer: ReturnType<typeof createWriter>, sco: string, values: [string, VariableValue][]) {
  writer.add(values.map(([key, value]) => ({ type: "variable.set", sco, key, value: JSON.stringify(value) })));
  expect(await writer.flush()).toBe(true);
}

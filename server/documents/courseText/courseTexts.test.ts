import { expect, test } from "vitest";
import { renewCourseTexts } from "#server/documents/courseText/courseTexts.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { QUESTIONS_FILE } from "#shared/courses/questions.ts";
import { documents } from "#shared/documents/documents.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { gustScenario } from "#test/scenarios.ts";
import { choiceQuestion, courseOf, insertCourse, newId, paragraph } from "#test/lessons.ts";
import { mixedDraft } from "#test/mixedCourse.ts";
import { xmlns12 } from "#test/packages.ts";
import { startTalks } from "#test/talks.ts";

const { server, createBot, talk, admin, ask } = await startTalks();
const { as, make, services } = server;
const boss = as(admin);

const part = (id: string, title: string, href: string) => ({
  item: `<item identifier="${id}" identifierref="R-${id}"><title>${title}</title></item>`,
  resource: `<resource identifier="R-${id}" type="webcontent" adlcp:scormtype="sco" href="${href}"/>`,
});
const parts = [part("A", "Gates", "gates/start.html?lang=en"), part("B", "Ladders", "ladders.html")];
const manifest = `<?xml version="1.0"?><manifest identifier="M" ${xmlns12}>
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="O"><organization identifier="O"><title>Site safety</title>
${parts.map(({ item }) => item).join("")}</organization></organizations>
<resources>${parts.map(({ resource }) => resource).join("")}</resources></manifest>`;
const ladders = (height: string) => `<h1>Heights</h1><p>Ladders are used up to ${height} metres.</p>
  <p>Secured at the top</p>
  <div class="quiz-feedback">A ladder stands at an angle of seventy degrees.</div>`;
const files = (height = "three") => ({
  "imsmanifest.xml": manifest,
  "gates/start.html": `<script>var solution = "The south gate is open", pages = ["gates/map.html"];</script>
    <a href="more.html#top">Next</a>
    <p>The north gate closes at eight in the evening.</p>`,
  "gates/more.html": `<p>The south gate stays open all night.</p><a href="test.html">Test</a>
    <iframe src="../../../secret.html"></iframe>`,
  "gates/map.html": `<p>The map hangs beside the north gate.</p>`,
  "gates/test.html": `<p>Which gate do lorries use?</p><input type="radio" name="q">A <input type="radio" name="q">B
    <p>Lorries use the west gate, because the bridge is low.</p>`,
  "ladders.html": ladders(height),
  [QUESTIONS_FILE]: JSON.stringify({
    questions: [
      { id: "q1", text: "How is a ladder secured?", responses: { a: "Secured at the top", b: "Not at all" } },
    ],
  }),
});
const read = async (id: string) => (await boss(documents.get, { params: { id } })).body;
const textOf = async (id: string, number = 1) => (await boss(documents.text, { params: { id, number } as never })).body;

async function addCourse(height?: string) {
  const course = await make.course(admin, { files: files(height) });
  const reply = await boss(documents.addCourse, { body: { courseId: course.id } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await runPipeline(services);
  return { course, document: await read(reply.body.id) };
}

test("the text of a course is read by part, without questions, answers and scripts", async () => {
  const { document } = await addCourse();
  expect(document).toMatchObject({ title: "Site safety", source: "course", live: { state: "ready", pages: 2 } });
  const { text, blocks } = await textOf(document.id);
  expect(blocks.map(({ from, to, page }) => [page, text.slice(from, to)])).toEqual([
    [1, "Gates"],
    [1, "Next"],
    [1, "The north gate closes at eight in the evening."],
    [1, "The map hangs beside the north gate."],
    [1, "The south gate stays open all night."],
    [1, "Test"],
    [2, "Ladders"],
    [2, "Heights"],
    [2, "Ladders are used up to three metres."],
  ]);
});

test("a chatbot answers from the course and cites the part that it opens at", async () => {
  const { course, document } = await addCourse();
  const { learner } = await make.classroom();
  const bot = await createBot(admin, { documentIds: [document.id] });
  const chat = await talk(learner, bot);
  const answer = await ask(chat, "When does the north gate close?");
  expect(answer.text).toContain("closes at eight");
  const gates = { courseId: course.id, sco: "A", title: "Gates" };
  expect(answer.sources[0]).toMatchObject({ title: "Site safety", page: 1, part: gates });
  const second = await ask(chat, "Up to how many metres are ladders used?", answer.id);
  expect(second.sources[0]).toMatchObject({ page: 2, part: { sco: "B", title: "Ladders" } });
  const solution = await ask(chat, "Do lorries use the west gate?", second.id);
  expect(solution.text).not.toContain("bridge");
});

test("a new live version of the course becomes a version of the document", async () => {
  const { course, document } = await addCourse();
  await make.version(admin, course.id, files("five"));
  await renewCourseTexts.work(services, {});
  await renewCourseTexts.work(services, {});
  await runPipeline(services);
  const renewed = await read(document.id);
  expect(renewed.versions).toHaveLength(2);
  expect((await textOf(document.id, renewed.live?.number)).text).toContain("up to five metres");
});

test("a course is added once, and takes no uploaded version", async () => {
  const { course, document } = await addCourse();
  const again = await boss(documents.addCourse, { body: { courseId: course.id } });
  expect(again).toMatchObject({ status: 409, body: { code: "documents.courseAdded" } });
  const body = { title: "Other", text: "Other text.", documentId: document.id };
  expect(await boss(documents.addText, { body })).toMatchObject({ status: 409, body: { code: "documents.isCourse" } });
});

test("a course whose pages hold no text says so", async () => {
  const course = await make.course(admin, {
    files: { ...files(), "gates/start.html": "<p></p>", "ladders.html": "<p></p>" },
  });
  const { id } = (await boss(documents.addCourse, { body: { courseId: course.id } })).body;
  await runPipeline(services);
  expect((await read(id)).latest).toMatchObject({ state: "failed", code: "noText" });
});

test("lessons are read without questions, scenarios and what depends on answers", async () => {
  const height = choiceQuestion("How high may a ladder be?");
  const hint = paragraph("The hint says three metres.", {
    showWhen: { match: "all", tests: [{ kind: "answer", block: height.id, is: "wrong" }] },
  });
  const lessons = courseOf(
    { id: newId("lesson"), title: "Ladders", blocks: [paragraph("Ladders stand on firm ground."), height.block, hint] },
    { id: newId("lesson"), title: "Roofs", blocks: [paragraph("Roofs are closed in a storm."), gustScenario().block] },
  );
  const courseId = await insertCourse(services.db, admin.user, lessons, { title: "Heights" });
  const { id } = (await boss(documents.addCourse, { body: { courseId } })).body;
  await runPipeline(services);
  const { text, blocks } = await textOf(id);
  expect(blocks.map(({ from, to, page }) => [page, text.slice(from, to)])).toEqual([
    [1, "Ladders"],
    [1, "Ladders stand on firm ground."],
    [2, "Roofs"],
    [2, "Roofs are closed in a storm."],
  ]);
});

test("the text of packages among lessons is read in their place", async () => {
  const { courseId, params } = await mixedDraft(server, admin, files());
  await boss(drafts.publish, { params });
  const { id } = (await boss(documents.addCourse, { body: { courseId } })).body;
  await runPipeline(services);
  const { text, blocks } = await textOf(id);
  const titles = blocks.filter(({ level }) => level === 1).map(({ from, to, page }) => [page, text.slice(from, to)]);
  expect(titles).toEqual([
    [1, "First lesson"],
    [2, "Gates"],
    [3, "Ladders"],
  ]);
  expect(text).toContain("The south gate stays open all night.");
  expect(text).toContain("Ladders are used up to three metres.");
  for (const solution of ["Secured at the top", "the bridge is low"]) expect(text).not.toContain(solution);
});

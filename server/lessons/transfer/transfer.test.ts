import { randomUUID } from "node:crypto";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { textsOf } from "#shared/lessons/blockTexts.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { Lesson, LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { listLessons } from "#shared/lessons/lessonProblems.ts";
import { plainText } from "#shared/lessons/richText.ts";
import { transfer } from "#shared/lessons/transfer/transfer.ts";
import { multipart } from "#test/client.ts";
import { makeDocx } from "#test/documentFiles.ts";
import { everyBlock } from "#test/everyBlock.ts";
import { choiceQuestion, newId, paragraph, words } from "#test/lessons.ts";
import { quizCourse } from "#test/quizzes.ts";
import { start } from "#test/start.ts";

const { app, as, make, db } = await start();
const admin = await make.admin();
const call = as(admin);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Stores a file; returns its path. */
async function store(name: string, bytes: Uint8Array, purpose: "import" | "lesson" = "import") {
  const path = `imports/${randomUUID()}/${name}`;
  const { headers, body } = multipart({ metadata: { purpose } }, Buffer.from(bytes));
  const stored = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    payload: body,
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
  });
  if (stored.statusCode !== 200) throw new Error(stored.body);
  return path;
}
const create = async (title = "Working at heights") => {
  const { body } = await call(drafts.create, { body: { title, language: "en" } });
  return { id: body.id, moduleId: body.modules[0]!.id, lessonId: body.modules[0]!.lessons[0]!.id };
};
async function write(course: LessonCourse) {
  const draft = await create();
  const params = { id: draft.id };
  for (const [at, { title, document }] of listLessons(course).entries()) {
    const id = randomUUID();
    await call(drafts.change, { params, body: { kind: "addLesson", id, title, moduleId: draft.moduleId, at } });
    const update = Buffer.from(nodesToUpdate(documentToNodes(document))).toString("base64");
    await call(drafts.write, { params: { id }, body: { key: randomUUID(), update } });
    if (!document.quiz) continue;
    const { pools, ...settings } = document.quiz;
    await call(drafts.change, { params, body: { kind: "changeQuiz", id, settings } });
    for (const pool of pools) await call(drafts.change, { params, body: { kind: "setPool", id, pool } });
  }
  await call(drafts.change, { params, body: { kind: "removeLesson", id: draft.lessonId } });
  return draft;
}
const courseOf = (title: string, blocks: LessonBlock[]): LessonCourse => ({
  modules: [
    {
      id: newId("module"),
      title: "",
      lessons: [{ id: newId("lesson"), title, minutes: 5, document: { schema: 1, language: "en", blocks } }],
    },
  ],
});
async function download(id: string, format: string, query = "") {
  const path = `${transfer.export.path.replace(":id", id)}?format=${format}${query}`;
  const reply = await app.inject({ method: "GET", url: path, headers: { authorization: `Bearer ${admin.token}` } });
  return { status: reply.statusCode, reply, files: reply.statusCode === 200 ? unzipSync(reply.rawPayload) : {} };
}
const readLessons = async (id: string): Promise<Lesson[]> => {
  const { body } = await call(drafts.preview, { params: { id } });
  return listLessons(body);
};
const textsIn = ({ title, document }: Lesson) => [title, ...document.blocks.flatMap(textsOf).map(plainText)];

async function importInto(id: string, name: string, bytes: Uint8Array | string, level: "1" | "2" = "1") {
  const path = await store(name, typeof bytes === "string" ? strToU8(bytes) : bytes);
  const body = { path, name, level };
  const plan = await call(transfer.importPlan, { params: { id }, body });
  const done = plan.status === 200 ? await call(transfer.import, { params: { id }, body }) : plan;
  return { plan, done, body };
}

test("a package has its manifest, one page with the course, and files with safe names", async () => {
  const path = await store("Größe (1).PNG", PNG, "lesson");
  const { id: fileId } = await db
    .selectFrom("files")
    .where("fullPath", "=", path)
    .select("id")
    .executeTakeFirstOrThrow();
  const image: LessonBlock = {
    kind: "image",
    id: newId("block"),
    file: { fileId, name: "Größe (1).PNG", type: "image/png", bytes: PNG.length },
    alt: "A harness",
    isDecorative: false,
    caption: words("</script><script>alert(1)</script>"),
    width: "text",
  };
  const { id, moduleId } = await write(courseOf("Ropes", [paragraph("Check the rope."), image]));
  const { body: draft } = await call(drafts.get, { params: { id } });
  const [lesson] = draft.modules.find((one) => one.id === moduleId)!.lessons;
  await call(drafts.addFile, { params: { id: lesson!.id }, body: { path, name: "Größe (1).PNG" } });
  for (const format of ["scorm12", "scorm2004"]) {
    const { status, files, reply } = await download(id, format);
    expect(status).toBe(200);
    expect(reply.headers["content-disposition"]).toBe(`attachment; filename="working-at-heights-draft-${format}.zip"`);
    const manifest = strFromU8(files["imsmanifest.xml"]!);
    const listed = [...manifest.matchAll(/<file href="([^"]+)"/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(
      Object.keys(files)
        .filter((name) => name !== "imsmanifest.xml")
        .toSorted(),
    );
    expect(listed).toContain(`media/${fileId}.png`);
    expect(Buffer.from(files[`media/${fileId}.png`]!)).toEqual(PNG);
    const page = strFromU8(files["index.html"]!);
    expect(page).toContain("default-src 'none'");
    expect(page.match(/<script/g)).toHaveLength(2);
  }
});

test("solutions of pools can be left out, and what cannot run elsewhere is named", async () => {
  const { course, questions } = quizCourse({}, { always: 1, pooled: 3, draw: 2 });
  const asked = choiceQuestion("And here?");
  const chat: LessonBlock = { kind: "chatbot", id: newId("block"), chatbotId: null, text: words("Ask the trainer.") };
  const named: LessonBlock = {
    kind: "paragraph",
    id: newId("block"),
    text: { id: newId("text"), runs: [{ kind: "variable", key: "team", fallback: "your team" }] },
  };
  course.modules[0]!.lessons.push(
    ...courseOf("Ask", [chat, named, asked.block]).modules.flatMap(({ lessons }) => lessons),
  );
  const { id } = await write(course);
  const params = { id };
  const { body: all } = await call(transfer.exportPlan, { params, query: {} });
  expect(all).toMatchObject({ lessons: 2, questions: 5, pooled: 3, emptyVariables: ["team"] });
  expect(all.leftOut).toEqual([{ kind: "chatbot", lesson: "Ask", count: 1 }]);
  const { body: fewer } = await call(transfer.exportPlan, { params, query: { pools: "no" } });
  expect(fewer).toMatchObject({ questions: 2, pooled: 3 });
  expect(fewer.leftOut[0]).toEqual({ kind: "pool", lesson: "Final check", count: 3 });
  const pageWith = async (query: string) => strFromU8((await download(id, "scorm12", query)).files["index.html"]!);
  expect(await pageWith("")).toContain(questions[3]!.right);
  const without = await pageWith("&pools=no");
  expect(without).not.toContain(questions[3]!.right);
  expect(without).toContain(questions[0]!.right);
  expect(without).not.toContain("Ask the trainer.");
});

test("an export needs a published version or a draft, an admin, and is recorded", async () => {
  const { id } = await create();
  expect((await download(id, "scorm12", "&from=live")).status).toBe(409);
  expect((await download(randomUUID(), "scorm12")).status).toBe(404);
  const company = await make.company(admin);
  const learner = await make.learner(company.accessCode);
  const asLearner = await as(learner)(transfer.exportPlan, { params: { id }, query: {} });
  expect(asLearner.status).toBe(403);
  await download(id, "scorm2004");
  const entries = await db
    .selectFrom("auditEntries")
    .where("action", "=", "lessonDrafts.export")
    .select("courseId")
    .execute();
  expect(entries.map(({ courseId }) => courseId)).toContain(id);
});

test("Markdown out and in again gives the same texts", async () => {
  const tricky = [
    paragraph("1. Not a list, *not* bold, [no link], <b>no tag</b>, a | b, `tick`, # no heading & co. a_b_c"),
    paragraph("- dash at https://example.com/a_b and me@example.com"),
    ...everyBlock().blocks.filter(({ kind }) => !["image", "video", "audio", "file"].includes(kind)),
  ];
  const { id } = await write(courseOf("Ropes & *knots*", tricky));
  const { files } = await download(id, "markdown");
  const markdown = strFromU8(files["course.md"]!);
  const target = await create();
  const { done } = await importInto(target.id, "course.md", markdown);
  expect(done.status).toBe(200);
  const [, lesson] = await readLessons(target.id);
  const again = await call(drafts.get, { params: { id: target.id } });
  expect(again.body.modules[0]!.lessons.map(({ title }) => title).at(-1)).toBe("Ropes & *knots*");
  const all = textsIn(lesson!).join("\n").replace(/\s+/g, " ");
  const [original] = await readLessons(id);
  const simple = ["paragraph", "heading", "list", "quote", "table", "callout", "checklist", "flashcards"];
  const kept = original!.document.blocks.filter(({ kind }) => simple.includes(kind));
  const missing = kept
    .flatMap(textsOf)
    .map((text) => plainText(text).replace(/\s+/g, " ").trim())
    .filter((text) => !all.includes(text));
  expect(missing, all).toEqual([]);
  const kinds = new Set(lesson!.document.blocks.map(({ kind }) => kind));
  for (const kind of ["heading", "paragraph", "list", "quote", "code", "table", "callout", "checklist", "divider"])
    expect([kind, kinds.has(kind as "list")]).toEqual([kind, true]);
});

test("headings become lessons or modules, appended to what is there", async () => {
  const html = `<!doctype html><title>Book</title><p>Before.</p><h1>One</h1><h2>First</h2><p>A <b>rope</b>
    with <a href="https://example.com">a link</a> and <a href="javascript:alert(1)">none</a>.</p>
    <ul><li>a<ol><li>b</li></ol></li></ul><h2>Second</h2><h3>Part</h3>
    <table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table><pre><code class="language-js">a &lt; b
</code></pre><h1>Two</h1><p>End.</p><script>alert(1)</script><iframe src="https://example.com"></iframe>
    <img src="https://example.com/far.png" alt="far">
    <img alt="here" src="data:image/png;base64,${PNG.toString("base64")}">
    <p onclick="alert(1)">Last.</p>`;
  const one = await create();
  const { plan, done } = await importInto(one.id, "book.html", html);
  expect(plan.body).toMatchObject({
    lessons: 3,
    pictures: 1,
    leftBehind: [
      { kind: "picture", count: 1 },
      { kind: "embedded", count: 1 },
    ],
  });
  expect(done.status).toBe(200);
  const { body: draft } = await call(drafts.get, { params: { id: one.id } });
  expect(draft.modules.map(({ lessons }) => lessons.map(({ title }) => title))).toEqual([
    ["First lesson", "book", "One", "Two"].map((title, n) => (n === 0 ? draft.modules[0]!.lessons[0]!.title : title)),
  ]);
  const lessons = await readLessons(one.id);
  const text = JSON.stringify(lessons);
  for (const hostile of ["alert", "onclick", "javascript:", "iframe"]) expect(text).not.toContain(hostile);
  const [picture] = lessons.flatMap(({ document }) => document.blocks.filter(({ kind }) => kind === "image"));
  expect(picture).toMatchObject({ alt: "here", file: { type: "image/png" } });

  const two = await create();
  await importInto(two.id, "book.html", html, "2");
  const { body: modules } = await call(drafts.get, { params: { id: two.id } });
  expect(
    modules.modules.map(({ title, lessons: list }) => [title, ...list.map((entry) => entry.title).slice(-2)]),
  ).toEqual([
    ["", modules.modules[0]!.lessons[0]!.title, "book"],
    ["One", "First", "Second"],
    ["Two", "Two"],
  ]);
});

test("a Word document becomes lessons by its headings", async () => {
  const { id } = await create();
  const sections = [
    { heading: "Before you climb", paragraphs: ["Check the harness.", "Check <the> anchor."] },
    { heading: "Up there", paragraphs: ["Stay clipped."] },
  ];
  const { plan } = await importInto(id, "heights.docx", makeDocx(sections));
  expect(plan.body).toMatchObject({ lessons: 2, blocks: 3, leftBehind: [] });
  const added = (await readLessons(id)).map(textsIn).slice(1);
  expect(added).toEqual(sections.map(({ heading, paragraphs }) => [heading, ...paragraphs]));
});

test("a document is imported once; what cannot be read is refused and changes nothing", async () => {
  const { id } = await create();
  const { done, body } = await importInto(id, "a.md", "# A\n\nText.\n\n# B\n\nText.");
  expect(done.body).toMatchObject({ lessons: [expect.any(String), expect.any(String)] });
  const again = await call(transfer.import, { params: { id }, body });
  expect(again.status).toBe(404);
  const bomb = zipSync({ "a.md": strToU8("# A\n".repeat(5_000_000)) });
  for (const [name, bytes, code] of [
    ["empty.md", " ", "lessonDrafts.importEmpty"],
    ["old.doc", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]), "lessonDrafts.importOldFormat"],
    ["picture.png", PNG, "lessonDrafts.importUnknownFormat"],
    ["broken.zip", Buffer.from("PK\u0003\u0004 nothing"), "lessonDrafts.importDamaged"],
    ["bomb.zip", bomb, "lessonDrafts.importTooLarge"],
    ["deep.html", "<div>".repeat(2000), "lessonDrafts.importTooLarge"],
  ] as const) {
    const { plan } = await importInto(id, name, bytes);
    expect([name, plan.status, (plan.body as unknown as { code: string }).code]).toEqual([name, 422, code]);
  }
  const { body: draft } = await call(drafts.get, { params: { id } });
  expect(draft.modules[0]!.lessons).toHaveLength(3);
  const far = await importInto(id, "far.md", "# Far\n\n![x](../../../etc/passwd)\n\n![y](https://example.com/y.png)");
  expect(far.plan.body).toMatchObject({ pictures: 0, leftBehind: [{ kind: "picture", count: 2 }] });
});

test("SVG pictures are rewritten, and hostile ones left out", async () => {
  const { id } = await create();
  const good = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const bad = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>';
  const bytes = zipSync({
    "text/course.md": strToU8("# A\n\n![good](media/a%20b.svg)\n\n![bad](media/bad.svg)\n\n![png](../p.png)"),
    "text/media/a b.svg": strToU8(good),
    "text/media/bad.svg": strToU8(bad),
    "p.png": new Uint8Array(PNG),
  });
  const { plan, done } = await importInto(id, "course.zip", bytes);
  expect(plan.body).toMatchObject({ pictures: 2, leftBehind: [{ kind: "picture", count: 1 }] });
  expect(done.status).toBe(200);
  const blocks = (await readLessons(id)).flatMap(({ document }) => document.blocks);
  expect(blocks.flatMap((block) => (block.kind === "image" ? [[block.alt, block.file.type]] : []))).toEqual([
    ["good", "image/svg+xml"],
    ["png", "image/png"],
  ]);
});

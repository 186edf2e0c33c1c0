import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { setCourseStatus, updateCourse, getCourse } from "#server/courses/service.ts";
import { writeLessons } from "#server/demo/demoWriting.ts";
import { chooseProtection, whyPeopleFall } from "#server/demo/lessons/beforeYouClimb.ts";
import { whenTheWindRises } from "#server/demo/lessons/theGust.ts";
import { checkTheHarness, onTheLadder } from "#server/demo/lessons/upThere.ts";
import { finalQuiz, promise, rescueInTime } from "#server/demo/lessons/whenItHappens.ts";
import { receive } from "#server/files/uploadChunks.ts";
import { finishUpload } from "#server/files/uploadCompletion.ts";
import { startUpload } from "#server/files/uploads.ts";
import { addLessonFile } from "#server/lessons/drafts/files.ts";
import { publishDraft } from "#server/lessons/drafts/publishing.ts";
import { createDraft, getDraft } from "#server/lessons/drafts/service.ts";
import { createVariable } from "#server/variables/service.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";
import { variableInput, type VariableInput } from "#shared/variables/variables.ts";
import type { User } from "#shared/core/users.ts";
import type { z } from "zod";

const PICTURE = { name: "roof.png", type: "image/png" };
/** Share of the final quiz that completes the course, in percent. */
const PASS_MARK = 70;

/** An empty course of lessons: chatbots are made for it before its lessons, which name them. */
export async function createLessonCourse(ctx: Ctx<User>) {
  const { id } = await createDraft(ctx, { title: "Working at heights", language: "en" });
  return id;
}

/** Writes and publishes "Working at heights", with its variables. Returns its lessons in order. */
export async function addLessons(ctx: Ctx<User>, courseId: string, chatbotId: string): Promise<Lesson[]> {
  await addVariables(ctx, courseId);
  const { modules: before } = await getDraft(ctx, courseId);
  const empty = before[0]?.lessons[0]?.id as string;
  const picture = await addPicture(ctx, empty);
  const [choose, ladder, harness, rescue] = [
    chooseProtection(),
    onTheLadder(),
    checkTheHarness(),
    rescueInTime(chatbotId),
  ];
  const quiz = finalQuiz({ choose, ladder, harness, rescue });
  const modules = [
    { title: "Before you climb", lessons: [whyPeopleFall(picture), choose] },
    { title: "Up there", lessons: [ladder, harness, whenTheWindRises()] },
    { title: "When something happens", lessons: [rescue, promise(), quiz] },
  ];
  await inTransaction(ctx.db, async (tx) => {
    await writeLessons(tx, courseId, modules, ctx.user.id);
    const [first] = modules[0]?.lessons ?? [];
    await tx
      .updateTable("lessonFiles")
      .set({ lessonId: first?.id as string })
      .where("lessonId", "=", empty)
      .execute();
    await tx.deleteFrom("lessonDrafts").where("id", "=", empty).execute();
  });
  await publishDraft(ctx, courseId);
  const course = await getCourse(ctx, courseId);
  const updated = await updateCourse(ctx, courseId, {
    version: course.version,
    code: "HEIGHTS-02",
    minutes: 35,
    summary:
      "Decide before you climb, choose what holds you, and get a colleague down in time. Written here, in Lyceum.",
    completionRule: { kind: "score", percent: PASS_MARK },
  });
  if (updated.status !== "published")
    await setCourseStatus(ctx, courseId, { status: "published", version: updated.version });
  return modules.flatMap(({ lessons }) => lessons);
}

/** What the course asks for and shows again. */
async function addVariables(ctx: Ctx<User>, courseId: string) {
  const courses = [{ courseId, access: "both" as const }];
  const define = (input: z.input<typeof variableInput>) =>
    createVariable(ctx, variableInput.parse(input) as VariableInput);
  await define({
    key: "heights_place",
    label: "Where I work at heights",
    description: "In the words of the learner; the examples of the course use it.",
    type: "text",
    constraints: { maxLength: 200 },
    courses,
  });
  await define({
    key: "heights_sure",
    label: "Trust in our ladders",
    description: "How sure learners are that their ladders would pass a check.",
    type: "number",
    constraints: { min: 0, max: 10, step: 1 },
    courses,
  });
  await define({
    key: "heights_rescue",
    label: "Ready for a rescue",
    description: "How well the crew could carry out a rescue, from 1 to 5.",
    type: "number",
    constraints: { min: 1, max: 5, step: 1 },
    courses,
  });
  await define({
    key: "heights_gust",
    label: "First choice in the wind",
    description: "What learners did first in the scenario “The gust at the hatch”.",
    type: "text",
    constraints: { maxLength: 200 },
    courses,
  });
}

async function addPicture(ctx: Ctx<User>, lessonId: string) {
  const bytes = await readFile(join(import.meta.dirname, "../../demo/heights", PICTURE.name));
  const path = `lessons/demo/${PICTURE.name}`;
  const metadata = { contentType: PICTURE.type, metadata: { purpose: "lesson" } };
  const upload = await startUpload(ctx, { path, size: bytes.length, metadata });
  await receive(ctx, upload.id, { offset: 0, body: Readable.from([bytes]), length: bytes.length });
  await finishUpload(ctx, upload.id);
  const { fileId } = await addLessonFile(ctx, lessonId, { path, name: PICTURE.name });
  return { ...PICTURE, fileId, bytes: bytes.length };
}

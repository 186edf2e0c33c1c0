import { join } from "node:path";
import type { Services } from "#server/core/services.ts";
import { findCourseParts } from "#server/documents/courseText/courseParts.ts";
import { parseDocument } from "#server/documents/parsing/parse.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import { type FoundText, type ReadText, textOf } from "#server/documents/parsing/readText.ts";

/** Levels by which headings of pages stand below the title of their part. */
const BELOW_PART = 1;
const LOWEST_LEVEL = 6;

type Options = { signal: AbortSignal; onPart: (done: number, total: number) => void };

/**
 * The text of the course that a version of a document stands for, by part: the title of the part as a heading, and its
 * number among the parts that can be opened as the page. Pages with questions are left out, and so are texts that the
 * package lists as questions or responses (`lyceum-questions.json`): a chatbot must not give solutions away. Throws
 * `noText` if nothing is left.
 */
export async function readCourseText(
  { db, config }: Pick<Services, "db" | "config">,
  documentVersionId: string,
  { signal, onPart }: Options,
): Promise<ReadText> {
  const version = await db
    .selectFrom("courseTexts")
    .innerJoin("courseVersions", "courseVersions.id", "courseTexts.courseVersionId")
    .where("courseTexts.versionId", "=", documentVersionId)
    .select(["courseVersions.id", "parts", "questions"])
    .executeTakeFirst();
  if (!version) throw new ParserFailure("fileMissing");
  const asked = new Set(
    Object.values(version.questions).flatMap(({ text, responses }) =>
      [text, ...Object.values(responses)].map(comparable),
    ),
  );
  const folder = join(config.filesDir, "packages", version.id);
  const parts = await findCourseParts(folder, version.parts).catch(() => {
    throw new ParserFailure("fileMissing");
  });
  const found: FoundText[] = [];
  let hasText = false;
  for (const [at, { title, paths }] of parts.entries()) {
    const page = at + 1;
    found.push({ text: title, level: 1, page });
    for (const path of paths) {
      const blocks = (await readPage(path, signal)).filter(({ text }) => !asked.has(comparable(text)));
      hasText ||= blocks.length > 0;
      const level = (own: number) => (own === 0 ? 0 : Math.min(own + BELOW_PART, LOWEST_LEVEL));
      found.push(...blocks.map((block) => ({ text: block.text, level: level(block.level), page })));
    }
    onPart(page, parts.length);
  }
  if (!hasText) throw new ParserFailure("noText");
  return textOf(found, parts.length);
}

const comparable = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s•]+/g, " ")
    .trim();

/** The blocks of a page; none if it has no text, or cannot be read: the other pages count. */
async function readPage(path: string, signal: AbortSignal) {
  try {
    const { read } = await parseDocument({ path, name: "page.html", isOfCourse: true }, { signal });
    return read.blocks.map(({ from, to, level }) => ({ text: read.text.slice(from, to), level }));
  } catch (error) {
    if (error instanceof ParserFailure && !signal.aborted) return [];
    throw error;
  }
}

import { join } from "node:path";
import type { Services } from "#server/core/services.ts";
import { findCourseParts } from "#server/documents/courseText/courseParts.ts";
import { lessonText } from "#server/documents/courseText/lessonText.ts";
import { MAX_CHARS, parseDocument } from "#server/documents/parsing/parse.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import { type FoundText, type ReadText, textOf } from "#server/documents/parsing/readText.ts";
import { listPackagesOf } from "#server/courses/packageFolders.ts";
import { readContents } from "#server/lessons/contents.ts";
import { packagedSco, type Part } from "#shared/player/player.ts";

/** Levels by which headings of pages stand below the title of their part. */
const BELOW_PART = 1;
const LOWEST_LEVEL = 6;

/** For all pages of a course, in ms. */
const TIMEOUT_MS = 600_000;

/** The title of a part that can be opened, and how its texts are read, page by page. */
type ReadPart = { title: string; pages: (() => Promise<FoundText[]>)[] };
type Options = { signal: AbortSignal; onPart: (done: number, total: number) => void };

/**
 * The text of the course that a version of a document stands for, by part: the title of the part as a heading, and its
 * number among the parts that can be opened as the page. Pages and blocks with questions are left out, and so are texts
 * that the package lists as questions or responses (`lyceum-questions.json`): a chatbot must not give solutions away.
 * Throws a `ParserFailure`, `noText` if nothing is left.
 */
export async function readCourseText(
  services: Pick<Services, "db" | "config">,
  documentVersionId: string,
  { signal, onPart }: Options,
): Promise<ReadText> {
  const version = await services.db
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
  const parts = await listParts(services, version, signal);
  const deadline = performance.now() + TIMEOUT_MS;
  const found: FoundText[] = [];
  let chars = 0;
  for (const [at, { title, pages }] of parts.entries()) {
    const page = at + 1;
    found.push({ text: title, level: 1, page });
    for (const readTexts of pages) {
      if (performance.now() > deadline) throw new ParserFailure("parserTimeout");
      const texts = (await readTexts()).filter(({ text }) => !asked.has(comparable(text)));
      chars += texts.reduce((sum, { text }) => sum + text.length, 0);
      if (chars > MAX_CHARS) throw new ParserFailure("tooLong");
      const level = (own = 0) => (own === 0 ? 0 : Math.min(own + BELOW_PART, LOWEST_LEVEL));
      found.push(...texts.map((one) => ({ text: one.text, level: level(one.level), page })));
    }
    onPart(page, parts.length);
  }
  if (chars === 0) throw new ParserFailure("noText");
  return textOf(found, parts.length);
}

/** Lessons are in the database, pages of a package in its folder. */
async function listParts(
  services: Pick<Services, "db" | "config">,
  { id, parts }: { id: string; parts: Part[] },
  signal: AbortSignal,
): Promise<ReadPart[]> {
  const { documents } = await readContents(services.db, id);
  const packages = await listPackagesOf(services.db, id);
  const read = new Map<string, ReadPart[]>();
  for (const { id: packageId, entry } of packages)
    read.set(entry, await readPackageParts(services, packageId, placedParts(parts, packageId, entry), signal));
  const uploaded = read.get("");
  if (uploaded) return uploaded;
  return parts.flatMap(({ sco, title, href }) => {
    const lesson = documents.get(sco);
    if (lesson) return [{ title, pages: [async () => lessonText(lesson)] }];
    const entry = packages.find((one) => sco.startsWith(packagedSco(one.entry, "")))?.entry;
    const next = href !== null && entry !== undefined ? read.get(entry)?.shift() : undefined;
    return next ? [next] : [];
  });
}

/** The parts of a package with their addresses in its folder. */
const placedParts = (parts: Part[], packageId: string, entry: string) =>
  entry === ""
    ? parts
    : parts
        .filter(({ sco }) => sco.startsWith(packagedSco(entry, "")))
        .map((part) => ({ ...part, href: part.href?.slice(packageId.length + 1) ?? null }));

async function readPackageParts(
  { config }: Pick<Services, "config">,
  packageId: string,
  parts: Part[],
  signal: AbortSignal,
): Promise<ReadPart[]> {
  const found = await findCourseParts(join(config.filesDir, "packages", packageId), parts).catch((error: unknown) => {
    throw isMissing(error) ? new ParserFailure("fileMissing") : error;
  });
  return found.map(({ title, paths }) => ({ title, pages: paths.map((path) => () => readPage(path, signal)) }));
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

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

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_QUESTIONS_BYTES, QUESTIONS_FILE, type Questions, questionsFile } from "#shared/courses/questions.ts";

/** The words of questions in an unpacked package. Without the file, or with one that cannot be read, there are none. */
export async function readQuestions(folder: string): Promise<Questions> {
  const path = join(folder, QUESTIONS_FILE);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_QUESTIONS_BYTES) return {};
  try {
    const { questions } = questionsFile.parse(JSON.parse(await readFile(path, "utf8")));
    return Object.fromEntries(questions.map(({ id, text, responses }) => [id, { text, responses }]));
  } catch {
    return {};
  }
}

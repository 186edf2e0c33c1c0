import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_QUESTIONS_BYTES, QUESTIONS_FILE, type Questions, questionsFile } from "#shared/courses/questions.ts";

/** The texts of questions in an unpacked package; none if the file is missing or unreadable. */
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

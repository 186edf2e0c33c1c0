import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ctx } from "#server/core/http/http.ts";
import { runPipeline } from "#server/documents/pipeline/pipeline.ts";
import { addTestQuestion } from "#server/documents/testing.ts";
import { addText } from "#server/documents/versions.ts";
import { updateDocument } from "#server/documents/service.ts";
import type { User } from "#shared/core/users.ts";

const FOLDER = join(import.meta.dirname, "../../demo/handbook");
const handbook = [
  { file: "working-safely.md", title: "Working safely", tags: ["safety"], reviewInDays: 110 },
  {
    file: "reporting-and-contacts.md",
    title: "Reporting and contacts",
    tags: ["safety", "contacts"],
    reviewInDays: -12,
  },
  { file: "everyday-rules.md", title: "Everyday rules", tags: ["personnel"], reviewInDays: 200 },
];

/** A small handbook that is ready at the first start, with a test question. Returns the ids of its documents. */
export async function addHandbook(ctx: Ctx<User>): Promise<string[]> {
  const ids: string[] = [];
  for (const { file, title, tags, reviewInDays } of handbook) {
    const text = await readFile(join(FOLDER, file), "utf8");
    const { id, version } = await addText(ctx, { title, text, folder: "Handbook", companyIds: [] });
    const reviewBy = new Date(Date.now() + reviewInDays * 86_400_000).toISOString().slice(0, 10);
    await updateDocument(ctx, id, { tags, reviewBy, version });
    ids.push(id);
  }
  await runPipeline(ctx);
  const [safety] = ids;
  if (safety)
    await addTestQuestion(ctx, safety, {
      question: "Is the lock enough to start working on the machine?",
      expected: "It is not a proof that stored energy has been released",
      facts: ["measure that the voltage is zero"],
    });
  return ids;
}

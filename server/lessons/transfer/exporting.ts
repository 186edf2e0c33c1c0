import { Readable } from "node:stream";
import slugify from "@sindresorhus/slugify";
import { record } from "#server/audit/service.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import { zipOf } from "#server/core/export/zip.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { markdownFiles } from "#server/lessons/transfer/markdownFiles.ts";
import { scormPackage } from "#server/lessons/transfer/scormPackage.ts";
import { checkLeaving, readLeaving } from "#server/lessons/transfer/source.ts";
import type { transfer } from "#shared/lessons/transfer/transfer.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

export const planExport = async ({ db }: Ctx<User>, id: string, query: QueryOf<typeof transfer.exportPlan>) =>
  (await readLeaving(db, id, query)).plan;

/** The course as a ZIP file, read and packed while it is sent. */
export async function exportCourse(ctx: Ctx<User>, id: string, query: QueryOf<typeof transfer.export>) {
  const { format } = query;
  const leaving = await readLeaving(ctx.db, id, query);
  checkLeaving(leaving);
  await record(ctx.db, ctx, { action: "lessonDrafts.export", courseId: id, details: { format } });
  const entries =
    format === "markdown" ? markdownFiles(leaving, ctx.storage) : scormPackage(leaving, format, ctx.storage);
  const name = `${slugify(leaving.title).slice(0, 60) || "course"}-${leaving.edition}-${format}.zip`;
  return new FileAnswer(name, "application/zip", Readable.from(zipOf(entries)), leaving.plan.lessons);
}

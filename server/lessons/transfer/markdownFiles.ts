import type { ZipEntry } from "#server/core/export/zip.ts";
import type { Storage } from "#server/core/storage/storage.ts";
import { mediaEntries } from "#server/lessons/transfer/scormPackage.ts";
import type { Leaving } from "#server/lessons/transfer/source.ts";
import { markdownOfCourse } from "#shared/lessons/transfer/markdown.ts";

/** The course as a text with its files beside it, as our import reads it. */
export async function* markdownFiles(leaving: Leaving, storage: Storage): AsyncGenerator<ZipEntry> {
  yield { path: "course.md", content: markdownOfCourse(leaving.modules) };
  yield* mediaEntries(leaving, storage);
}

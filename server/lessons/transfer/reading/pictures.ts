import { fileTypeFromBuffer } from "file-type";
import { sanitizeSvg } from "#server/settings/svg.ts";
import type { ReadCourse, ReadPicture } from "#server/lessons/transfer/reading/readDocument.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { IMAGE_TYPES } from "#shared/files/files.ts";

/** Largest picture, and all together, in bytes; and how many of them. */
const MAX_PICTURE_BYTES = 10 * 1024 ** 2;
const MAX_BYTES = 60 * 1024 ** 2;
const MAX_PICTURES = 200;

/** Keeps pictures that browsers show, SVG rewritten. The others are counted as left behind. */
export async function keepPictures(read: ReadCourse): Promise<ReadCourse> {
  const kept: ReadPicture[] = [];
  let bytes = 0;
  for (const picture of read.pictures) {
    const checked = await check(picture);
    if (!checked || kept.length === MAX_PICTURES || bytes + checked.bytes.length > MAX_BYTES) continue;
    bytes += checked.bytes.length;
    kept.push(checked);
  }
  const byId = new Map(kept.map((one) => [one.placeholder, one]));
  let lost = 0;
  const modules = read.modules.map((module) => ({
    ...module,
    lessons: module.lessons.map((lesson) => ({
      ...lesson,
      blocks: lesson.blocks.flatMap((block): LessonBlock[] => {
        if (block.kind !== "image") return [block];
        const picture = byId.get(block.file.fileId);
        if (!picture) lost += 1;
        if (!picture) return [];
        const { name, type } = picture;
        return [{ ...block, file: { ...block.file, name, type, bytes: picture.bytes.length } }];
      }),
    })),
  }));
  const others = read.leftBehind.filter(({ kind }) => kind !== "picture");
  const before = read.leftBehind.find(({ kind }) => kind === "picture")?.count ?? 0;
  const count = before + lost;
  return { modules, pictures: kept, leftBehind: count > 0 ? [{ kind: "picture", count }, ...others] : others };
}

async function check(picture: ReadPicture): Promise<ReadPicture | null> {
  const { bytes } = picture;
  if (bytes.length === 0 || bytes.length > MAX_PICTURE_BYTES) return null;
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && IMAGE_TYPES.includes(found.mime))
    return { ...picture, name: `${picture.name}.${found.ext}`, type: found.mime };
  const text = new TextDecoder().decode(bytes);
  const rewritten = /<svg[\s>]/i.test(text.slice(0, 4096)) ? sanitizeSvg(text) : null;
  if (!rewritten) return null;
  const name = `${picture.name}.svg`;
  return { ...picture, name, type: "image/svg+xml", bytes: new TextEncoder().encode(rewritten.svg) };
}

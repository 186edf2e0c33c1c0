import "#server/core/outgoing/withoutNetwork.ts";
import { readFile } from "node:fs/promises";
import { openSource } from "#server/lessons/transfer/reading/openSource.ts";
import { readHtmlLessons } from "#server/lessons/transfer/reading/htmlLessons.ts";
import { keepPictures } from "#server/lessons/transfer/reading/pictures.ts";
import { type ReadMessage, type ReadOrder, UnreadableDocument } from "#server/lessons/transfer/reading/readDocument.ts";

// The process that reads documents of others, so that one of them may crash a parser, but not the server

const send = (message: ReadMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

process.once("message", async ({ path, name, level }: ReadOrder) => {
  try {
    const { html, picture } = await openSource(new Uint8Array(await readFile(path)), name);
    const title = name.replace(/\.[^.]*$/, "").trim() || name;
    const read = readHtmlLessons(html, { title, level, picture });
    if (read.modules.length === 0) throw new UnreadableDocument("empty");
    await send({ type: "read", ...(await keepPictures(read)) });
  } catch (error) {
    await send({ type: "failed", code: error instanceof UnreadableDocument ? error.code : "damaged" });
  }
  process.exit(0);
});

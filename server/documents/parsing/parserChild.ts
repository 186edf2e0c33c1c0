import "#server/core/outgoing/withoutNetwork.ts";
import { readFile } from "node:fs/promises";
import { decodeText, detectKind } from "#server/documents/parsing/kinds.ts";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import { textOf } from "#server/documents/parsing/readText.ts";
import type { FoundText } from "#server/documents/parsing/readText.ts";
import type { ParserMessage, ParserOrder } from "#server/documents/parsing/parse.ts";
import type { DocumentKind } from "#shared/documents/documentVersions.ts";

// The process that reads documents, so that a document may crash a parser, but not the server.

const send = (message: ParserMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

/** Libraries are loaded on demand, because they take most of the start-up time. */
async function read(
  kind: DocumentKind,
  bytes: Uint8Array,
  isOfCourse: boolean,
  onPage: (done: number, total: number) => void,
): Promise<{ parts: FoundText[]; pages: number }> {
  const plain = (parts: FoundText[]) => ({ parts, pages: 0 });
  switch (kind) {
    case "pdf":
      return (await import("#server/documents/parsing/pdf.ts")).readPdf(bytes, onPage);
    case "docx":
      return (await import("#server/documents/parsing/office.ts")).readDocx(bytes);
    case "pptx":
      return (await import("#server/documents/parsing/office.ts")).readPptx(bytes);
    case "xlsx":
      return (await import("#server/documents/parsing/office.ts")).readXlsx(bytes);
    case "odt":
      return (await import("#server/documents/parsing/office.ts")).readOdt(bytes);
    case "html":
      return plain((await import("#server/documents/parsing/html.ts")).readHtml(decodeText(bytes), { isOfCourse }));
    case "markdown":
      return plain((await import("#server/documents/parsing/markup.ts")).readMarkdown(decodeText(bytes)));
    case "subtitles":
      return plain((await import("#server/documents/parsing/markup.ts")).readSubtitles(decodeText(bytes)));
    default:
      return plain(
        decodeText(bytes)
          .replaceAll("\r\n", "\n")
          .split(/\n[ \t]*\n+/)
          .map((text) => ({ text })),
      );
  }
}

process.once("message", async (order: ParserOrder) => {
  try {
    const bytes = new Uint8Array(await readFile(order.path));
    const kind = detectKind(bytes, order.name);
    await send({ type: "kind", kind });
    const { parts, pages } = await read(kind, bytes, order.isOfCourse ?? false, (done, total) => {
      if (done % 10 === 0 || done === total) void send({ type: "page", done, total });
    });
    const found = textOf(parts, pages);
    if (found.blocks.length === 0) throw new ParserFailure("noText");
    await send({ type: "text", ...found });
    process.exit(0);
  } catch (error) {
    const failure = error instanceof ParserFailure ? error : new ParserFailure("damaged");
    await send({ type: "failed", code: failure.code, page: failure.page });
    process.exit(0);
  }
});

import { posix } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { ArchiveFailure, isCompoundFile, listEntries } from "#server/core/archives.ts";
import { UnreadableDocument } from "#server/lessons/transfer/reading/readDocument.ts";

/** A document as HTML, and the bytes of the pictures that it refers to; null for one that it does not contain. */
export type Source = { html: string; picture: (address: string) => Uint8Array | null };

const limits = { entries: 10_000, bytes: 300 * 1024 ** 2, ratio: 100, smallBytes: 10 * 1024 ** 2 };
const MAX_TEXT_BYTES = 10 * 1024 ** 2;

/** Opens Word, HTML, Markdown, or a ZIP file with one of the latter two and its pictures. */
export async function openSource(bytes: Uint8Array, name: string): Promise<Source> {
  if (bytes.length === 0) throw new UnreadableDocument("empty");
  if (isCompoundFile(bytes)) throw new UnreadableDocument("oldFormat");
  if (!strFromU8(bytes.subarray(0, 4), true).startsWith("PK\x03\x04"))
    return { html: await toHtml(bytes, name), picture: readDataUrl };
  const names = entriesOf(bytes);
  if (names.has("word/document.xml")) return openWord(bytes);
  const isText = (one: string) => /\.(md|markdown|html?)$/i.test(one) && !/(^|\/)(__MACOSX|\.)/.test(one);
  const depth = (one: string) => one.split("/").length;
  const main = [...names].filter(isText).toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))[0];
  if (!main) throw new UnreadableDocument("unknownFormat");
  const files = unzipSync(bytes, {
    filter: (one) => one.name === main || /\.(png|jpe?g|gif|webp|avif|svg)$/i.test(one.name),
  });
  const folder = posix.dirname(main);
  return {
    html: await toHtml(files[main] ?? new Uint8Array(), main),
    picture: (address) => readDataUrl(address) ?? files[posix.join(folder, decodeAddress(address))] ?? null,
  };
}

function entriesOf(bytes: Uint8Array) {
  try {
    return listEntries(bytes, limits);
  } catch (error) {
    throw error instanceof ArchiveFailure
      ? new UnreadableDocument(error.code === "damaged" ? "damaged" : "tooMuchWork")
      : error;
  }
}

async function toHtml(bytes: Uint8Array, name: string) {
  if (bytes.length > MAX_TEXT_BYTES) throw new UnreadableDocument("tooMuchWork");
  if (bytes.subarray(0, 8192).includes(0)) throw new UnreadableDocument("unknownFormat");
  const text = new TextDecoder("utf-8").decode(bytes);
  if (/\.html?$/i.test(name) || /^\s*(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)\b/i.test(text)) return text;
  if (!/\.(md|markdown|txt)$/i.test(name)) throw new UnreadableDocument("unknownFormat");
  const { micromark } = await import("micromark");
  const { gfm, gfmHtml } = await import("micromark-extension-gfm");
  // What it lets through is reduced to text and marks like any other HTML.
  return micromark(text, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** Word: its pictures are named by their order. */
async function openWord(bytes: Uint8Array): Promise<Source> {
  const mammoth = (await import("mammoth")).default;
  const pictures: Uint8Array[] = [];
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    {
      convertImage: mammoth.images.imgElement(async (image) => {
        pictures.push(new Uint8Array(await image.readAsBuffer()));
        return { src: `picture:${pictures.length - 1}` };
      }),
      includeEmbeddedStyleMap: false,
    },
  );
  return {
    html: value,
    picture: (address) => pictures[Number(/^picture:(\d+)$/.exec(address)?.[1] ?? Number.NaN)] ?? null,
  };
}

const readDataUrl = (address: string): Uint8Array | null => {
  const [, data] = /^data:image\/[a-z+.-]+;base64,(.*)$/is.exec(address) ?? [];
  return data === undefined ? null : new Uint8Array(Buffer.from(data, "base64"));
};
const decodeAddress = (address: string) => {
  try {
    return decodeURIComponent(address.split(/[?#]/)[0] ?? "");
  } catch {
    return address;
  }
};

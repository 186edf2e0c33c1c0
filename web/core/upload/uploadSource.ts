import { decodeText, type TextFormat } from "#shared/core/encoding.ts";

export type Source = Blob | Uint8Array<ArrayBuffer> | { text: string; format: TextFormat };

/** A file from a blob, bytes or encoded text. Throws `EncodingError` for a text that is not valid in its format. */
export function toFile(source: Source, name: string, type?: string): File {
  if (source instanceof Blob || source instanceof Uint8Array)
    return new File([source], name, { type: type ?? (source instanceof Blob ? source.type : "") });
  const decoded = decodeText(source.text, source.format);
  return new File([decoded.bytes], name, { type: type ?? decoded.type ?? "" });
}

/** The path of a new file: purpose, random part, and its name without characters that a path must not contain. */
export function uploadPathFor(purpose: string, name: string, random: string) {
  const clean = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N} ._()+,&@=-]/gu, "-")
    .trim();
  const extension = /\.\w{1,10}$/.exec(clean)?.[0] ?? "";
  const stem = Array.from(clean.slice(0, clean.length - extension.length))
    .slice(0, 120)
    .join("");
  const fileName = stem + extension;
  return `${purpose}/${random}/${/^\.*$/.test(fileName) ? "file" : fileName}`;
}

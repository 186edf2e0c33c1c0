import { decodeText, type TextFormat } from "#shared/encoding.ts";

export type Source = Blob | Uint8Array<ArrayBuffer> | { text: string; format: TextFormat };

/** A file of anything that holds bytes. Throws `EncodingError` for a text that breaks the rules of its format. */
export function fileOf(source: Source, name: string, type?: string): File {
  if (source instanceof Blob || source instanceof Uint8Array)
    return new File([source], name, { type: type ?? (source instanceof Blob ? source.type : "") });
  const decoded = decodeText(source.text, source.format);
  return new File([decoded.bytes], name, { type: type ?? decoded.type ?? "" });
}

/** The path of a new file: what it is for, something random, and its own name without what a path must not hold. */
export function pathFor(purpose: string, name: string, random: string) {
  const clean = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N} ._()+,&@=-]/gu, "-")
    .trim();
  const end = /\.\w{1,10}$/.exec(clean)?.[0] ?? "";
  const stem = Array.from(clean.slice(0, clean.length - end.length))
    .slice(0, 120)
    .join("");
  const last = stem + end;
  return `${purpose}/${random}/${/^\.*$/.test(last) ? "file" : last}`;
}

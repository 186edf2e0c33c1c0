import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";

export type Encoding = "UTF-8" | "UTF-16" | "Windows-1252";

/** The text of a file in UTF-8, UTF-16 with or without a byte order mark, or else Windows-1252. */
export function decodeFile(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const utf16 = utf16Of(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch {
    if (bytes.subarray(0, 4096).filter((byte) => byte < 9 || (byte > 13 && byte < 32)).length > 8)
      throw new UnreadableFile("unknownFormat");
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}

/** Without a byte order mark, every other byte of a text with Latin letters is 0. */
function utf16Of(bytes: Uint8Array) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, 2048);
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 4;
  if (odd > many && even < many / 8) return "utf-16le";
  if (even > many && odd < many / 8) return "utf-16be";
  if (even + odd > 0) throw new UnreadableFile("unknownFormat");
  return null;
}

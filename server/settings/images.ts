import { decodeText, EncodingError } from "#shared/core/encoding.ts";

const signatures = [
  { type: "image/png", prefix: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: "image/jpeg", prefix: Buffer.from([0xff, 0xd8, 0xff]) },
  { type: "image/webp", prefix: Buffer.from("RIFF") },
];

/** The type of a PNG, JPEG or WebP, from its bytes; undefined for everything else. */
export const imageTypeOf = (bytes: Buffer) =>
  signatures.find(
    ({ prefix, type }) =>
      bytes.subarray(0, prefix.length).equals(prefix) &&
      (type !== "image/webp" || bytes.toString("latin1", 8, 12) === "WEBP"),
  )?.type;

/** The bytes of a data URL; empty if it is not valid. */
export function bytesOf(dataUrl: string) {
  try {
    return Buffer.from(decodeText(dataUrl, "data_url").bytes);
  } catch (error) {
    if (error instanceof EncodingError) return Buffer.alloc(0);
    throw error;
  }
}

import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const RGBA = 6;
const BITS = 8;

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A square picture of RGBA pixels, row by row. */
export type Picture = { size: number; pixels: Buffer };

/** The chunks of a picture, without end, so that `pngWithText` can add a text to the same picture again and again. */
export function encodePicture({ size, pixels }: Picture): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([BITS, RGBA], 8);
  const stride = size * 4;
  const rows = Buffer.alloc((stride + 1) * size);
  for (let y = 0; y < size; y++) pixels.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  return Buffer.concat([SIGNATURE, chunk("IHDR", head), chunk("IDAT", deflateSync(rows))]);
}

/** A PNG file with a text under a keyword (an uncompressed iTXt chunk). */
export const pngWithText = (encoded: Buffer, keyword: string, text: string) =>
  Buffer.concat([
    encoded,
    chunk("iTXt", Buffer.from(`${keyword}\0\0\0\0\0${text}`, "utf8")),
    chunk("IEND", Buffer.alloc(0)),
  ]);

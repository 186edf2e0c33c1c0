import { expect, test } from "vitest";
import { readAudio } from "#server/connectors/voice/audioFormat.ts";
import { makeTone } from "#server/connectors/voice/voiceTest.ts";

const number = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => (value >> (8 * (bytes - 1 - at))) & 0xff);
/** An EBML element with a size of one byte, or of unknown length. */
const element = (id: number[], content: number[], isOpen = false) => [
  ...id,
  ...(isOpen ? [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] : [0x80 | content.length]),
  ...content,
];
const block = (ms: number) => element([0xa3], [0x81, ...number(ms, 2), 0x80, 1, 2, 3]);
const cluster = (at: number, ...blocks: number[][]) =>
  element([0x1f, 0x43, 0xb6, 0x75], [...element([0xe7], number(at, 3)), ...blocks.flat()], true);

test("a WebM recording without a duration is as long as its last block says", () => {
  const webm = [
    ...element([0x1a, 0x45, 0xdf, 0xa3], []),
    ...element([0x18, 0x53, 0x80, 0x67], [...cluster(0, block(20), block(900)), ...cluster(1000, block(500))], true),
  ];
  expect(readAudio(Uint8Array.from(webm))).toEqual({ type: "audio/webm", extension: "webm", seconds: 1.5 });
});

test("WAV, Ogg and MP4 are told apart, with their lengths", () => {
  expect(readAudio(makeTone(2))).toEqual({ type: "audio/wav", extension: "wav", seconds: 2 });
  const ogg = Buffer.alloc(60);
  ogg.write("OggS", 0);
  ogg.write("OggS", 30);
  ogg.writeBigUInt64LE(96_000n, 36);
  expect(readAudio(ogg)).toMatchObject({ type: "audio/ogg", seconds: 2 });
  const mp4 = Buffer.alloc(80);
  mp4.write("ftyp", 4);
  mp4.write("mvhd", 20);
  mp4.writeUInt32BE(1000, 36);
  mp4.writeUInt32BE(2500, 40);
  expect(readAudio(mp4)).toMatchObject({ type: "audio/mp4", seconds: 2.5 });
});

test("everything else is refused, and broken files end", () => {
  for (const bytes of ["", "hello", "%PDF-1.7", "ID3 music", "<html>"])
    expect(readAudio(Buffer.from(bytes))).toBeNull();
  const webm = element([0x1a, 0x45, 0xdf, 0xa3], []);
  for (let seed = 0; seed < 300; seed++) {
    const rest = Array.from({ length: seed }, (_, at) => (seed * 31 + at * at * 7) % 256);
    expect(readAudio(Uint8Array.from([...webm, ...rest]))).toMatchObject({ type: "audio/webm" });
    expect(readAudio(Buffer.concat([makeTone(1).subarray(0, 12), Uint8Array.from(rest)]))).not.toBeNull();
  }
});

test("a movie header that is cut off states no length", () => {
  const mp4 = Buffer.alloc(40);
  mp4.write("ftyp", 4);
  mp4.write("mvhd", 12);
  mp4[16] = 1;
  for (let length = 16; length <= mp4.length; length++)
    expect(readAudio(mp4.subarray(0, length))).toEqual({ type: "audio/mp4", extension: "mp4", seconds: null });
});

// Formats of recordings are detected by their first bytes, never by what the sender claims.

export type AudioFormat = { type: string; extension: string };
/** `seconds`: as stated by the container; null if it states none. */
export type ReadAudio = AudioFormat & { seconds: number | null };

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  [...text].every((character, offset) => bytes[at + offset] === character.charCodeAt(0));
const EBML = [0x1a, 0x45, 0xdf, 0xa3];

/** The format and length of a recording: WebM, MP4, Ogg or WAV. Null for everything else. */
export function readAudio(bytes: Uint8Array): ReadAudio | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (EBML.every((byte, at) => bytes[at] === byte))
    return { type: "audio/webm", extension: "webm", seconds: webmSeconds(bytes, view) };
  if (startsWith(bytes, "ftyp", 4)) return { type: "audio/mp4", extension: "mp4", seconds: mp4Seconds(bytes, view) };
  if (startsWith(bytes, "OggS")) return { type: "audio/ogg", extension: "ogg", seconds: oggSeconds(bytes, view) };
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WAVE", 8))
    return { type: "audio/wav", extension: "wav", seconds: wavSeconds(bytes, view) };
  return null;
}

/**
 * RIFF: the bytes of audio divided by the bytes per second, regardless of the length in the header. Null if the byte
 * rate does not match sample rate, channels and sample size, which providers use.
 */
function wavSeconds(bytes: Uint8Array, view: DataView) {
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    if (startsWith(bytes, "fmt ", at) && at + 24 <= bytes.length) {
      const [channels, sampleRate] = [view.getUint16(at + 10, true), view.getUint32(at + 12, true)];
      const stated = view.getUint32(at + 16, true);
      if (stated === (sampleRate * channels * view.getUint16(at + 22, true)) / 8) rate = stated;
    }
    if (startsWith(bytes, "data", at)) return rate > 0 ? (bytes.length - at - 8) / rate : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

/** Position of the last page in samples of 48 kHz, as Opus always counts (RFC 7845, section 4). */
function oggSeconds(bytes: Uint8Array, view: DataView) {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf("OggS", -27);
  return at < 0 ? null : Number(view.getBigUint64(at + 6, true)) / 48_000;
}

/** The movie header (ISO 14496-12, section 8.2.2), which may be empty in a fragmented recording. */
function mp4Seconds(bytes: Uint8Array, view: DataView) {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("mvhd");
  const isLong = bytes[at + 4] === 1;
  if (at < 0 || at + (isLong ? 36 : 24) > bytes.length) return null;
  const scale = view.getUint32(at + (isLong ? 24 : 16));
  const length = isLong ? Number(view.getBigUint64(at + 28)) : view.getUint32(at + 20);
  return scale > 0 && length > 0 ? length / scale : null;
}

const CLUSTER = 0x1f43b675;
const SEGMENT = 0x18538067;
const TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
/** More than a minute of the shortest frames has; bounds the work of the server. */
const MAX_ELEMENTS = 50_000;
const BLOCKS = [0xa3, 0xa1];

/** The latest time of a block (Matroska, RFC 9559): recordings of browsers state no duration. Times are in ms. */
function webmSeconds(bytes: Uint8Array, view: DataView) {
  let cluster = 0;
  let latest: number | null = null;
  let elements = 0;
  for (let at = 0; at < bytes.length && elements < MAX_ELEMENTS; elements++) {
    const id = readNumber(bytes, at, true);
    const size = id && readNumber(bytes, at + id.length, false);
    if (!id || !size) break;
    const content = at + id.length + size.length;
    if (id.value === TIMESTAMP) cluster = readUnsigned(bytes.subarray(content, content + size.value));
    if (BLOCKS.includes(id.value) && content + 3 <= bytes.length)
      latest = Math.max(latest ?? 0, cluster + view.getInt16(content + 1));
    // The content of these elements is read next, even if their length is unknown.
    const isEntered = id.value === SEGMENT || id.value === CLUSTER || id.value === BLOCK_GROUP;
    at = isEntered ? content : content + size.value;
  }
  return latest === null ? null : latest / 1000;
}

/** A number of variable length (RFC 8794, section 4); ids keep the bit that marks their length. */
function readNumber(bytes: Uint8Array, at: number, isId: boolean) {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || length > 8 || at + length > bytes.length) return null;
  const start = isId ? first : first & (0xff >> length);
  let value = start;
  for (let next = at + 1; next < at + length; next++) value = value * 256 + (bytes[next] as number);
  return { value, length };
}
const readUnsigned = (bytes: Uint8Array) => bytes.reduce((value, byte) => value * 256 + byte, 0);

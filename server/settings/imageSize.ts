// Width and height of images, from their headers. Uploaded files are not trusted: every offset is checked

export type Size = { width: number; height: number };

/** Width and height in px of a PNG, JPEG or WebP; null if its header does not contain them. */
export function imageSize(bytes: Buffer, type: string): Size | null {
  try {
    const size = readers[type]?.(bytes) ?? null;
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // Read beyond the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Record<string, (bytes: Buffer) => Size | null> = {
  "image/png": (bytes) =>
    bytes.toString("latin1", 12, 16) === "IHDR"
      ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
      : null,
  "image/jpeg": readJpeg,
  "image/webp": readWebp,
};

/** The frame header (SOF0 to SOF15, without DHT, JPG and DAC). */
function readJpeg(bytes: Buffer): Size | null {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

function readWebp(bytes: Buffer): Size | null {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8 ") return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

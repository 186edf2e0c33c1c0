import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import { ModelFault } from "#server/connectors/local/modelFault.ts";

// The format safetensors: the length of the header (8 bytes), the header (JSON), the numbers of all tensors.

const MAX_HEADER_BYTES = 1024 ** 2;
const LENGTH_BYTES = 8;

const count = z.int().min(0);
const described = z.object({
  dtype: z.string(),
  shape: z.array(count).max(8),
  data_offsets: z.tuple([count, count]),
});
/** `from`: its first byte in the file. */
export type Tensor = { dtype: string; shape: number[]; from: number; bytes: number };

/** Bytes per number. */
const WIDTHS: Record<string, number> = { F16: 2, F32: 4, F64: 8, I32: 4, I64: 8 };

/**
 * Finds tensors of a file by name. Throws a `ModelFault` for a header that is missing or too large, and for a tensor
 * whose bytes lie outside the file or do not match its shape.
 */
export async function readHeader(file: FileHandle) {
  const { size } = await file.stat();
  const length = Number((await readBytes(file, 0, LENGTH_BYTES)).readBigUInt64LE());
  if (length > MAX_HEADER_BYTES || LENGTH_BYTES + length > size) throw new ModelFault("bad_table");
  const start = LENGTH_BYTES + length;
  const header = parse(await readBytes(file, LENGTH_BYTES, length));
  return (name: string): Tensor | null => {
    if (!Object.hasOwn(header, name)) return null;
    const parsed = described.safeParse(header[name]);
    if (!parsed.success) throw new ModelFault("bad_table");
    const {
      dtype,
      shape,
      data_offsets: [from, to],
    } = parsed.data;
    const width = WIDTHS[dtype];
    const isWhole = width !== undefined && to - from === shape.reduce((product, side) => product * side, width);
    if (!isWhole || start + to > size) throw new ModelFault("bad_table");
    return { dtype, shape, from: start + from, bytes: to - from };
  };
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(bytes.toString()));
  } catch {
    throw new ModelFault("bad_table");
  }
}

/** Throws a `ModelFault` if the file ends before. */
export async function readBytes(file: FileHandle, from: number, length: number) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  if (bytesRead < length) throw new ModelFault("bad_table");
  return buffer;
}

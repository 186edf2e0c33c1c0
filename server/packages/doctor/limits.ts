import { MAX_PLACES } from "#shared/packages/packageCheck.ts";

// Limits of one reading. Whatever lies behind them is not read, and the reading says so.

export const limits = {
  /** Files that are listed, as in an archive. */
  files: 20_000,
  folders: 32,
  /** Pages, styles, scripts and settings that are opened. */
  texts: 3000,
  /** Bytes of one of them, and of all together. */
  textBytes: 3 * 1024 ** 2,
  totalBytes: 24 * 1024 ** 2,
  /** Time, in ms. */
  time: 8000,
  /** Calls of one script, tags of one page, references of all pages. */
  calls: 5000,
  tags: 20_000,
  references: 20_000,
  /** What is kept of each finding. */
  names: 10,
  places: MAX_PLACES,
  nameChars: 160,
};

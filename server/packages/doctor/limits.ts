import { MAX_PLACES } from "#shared/packages/packageCheck.ts";

// Limits of one reading. If something exceeds them, the reading says that it is not complete.

export const limits = {
  /** The most files that are listed, which is the most that an archive may contain, and the most levels of folders. */
  files: 20_000,
  folders: 32,
  /** Opened pages, styles, scripts and settings. */
  texts: 3000,
  /** Bytes of one text, and of all together. */
  textBytes: 3 * 1024 ** 2,
  totalBytes: 24 * 1024 ** 2,
  /** In ms. */
  time: 8000,
  /** Calls per script, tags per page, references per page or style. */
  calls: 5000,
  tags: 20_000,
  references: 20_000,
  /** Names and places per finding, and characters of a name. */
  names: 10,
  places: MAX_PLACES,
  nameChars: 160,
};

import type { FileFailure } from "#shared/imports/imports.ts";

/** A file that cannot be read: the reason, and the row if it is known. */
export class UnreadableFile extends Error {
  code: FileFailure;
  row: number | null;
  constructor(code: FileFailure, row: number | null = null) {
    super(code);
    this.code = code;
    this.row = row;
  }
}

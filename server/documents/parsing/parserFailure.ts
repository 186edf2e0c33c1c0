import type { FailureCode } from "#shared/documents/documentVersions.ts";

/** A permanent failure to read a document: the reason, and the page if it is known. */
export class ParserFailure extends Error {
  code: FailureCode;
  page: number | null;
  constructor(code: FailureCode, page: number | null = null) {
    super(code);
    this.code = code;
    this.page = page;
  }
}

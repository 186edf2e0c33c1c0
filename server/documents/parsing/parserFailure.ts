import type { FailureCode } from "#shared/documents/documentVersions.ts";

/** A document that cannot be read, whoever tries: the reason, and the page where it is known. */
export class ParserFailure extends Error {
  code: FailureCode;
  page: number | null;
  constructor(code: FailureCode, page: number | null = null) {
    super(code);
    this.code = code;
    this.page = page;
  }
}

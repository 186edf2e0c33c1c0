import type { Texts } from "#shared/locales/catalogue.ts";

type CodesOf<Domain extends keyof Texts> = Texts[Domain] extends { errors: infer Errors }
  ? `${Domain}.${keyof Errors & string}`
  : never;

/** The code of an error, such as `courses.inUse`: a domain, and a key under `errors` in its file of texts. */
export type ErrorCode = { [Domain in keyof Texts]: CodesOf<Domain> }[keyof Texts];

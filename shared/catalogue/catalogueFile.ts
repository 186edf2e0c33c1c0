import type { CatalogueRequest } from "#shared/catalogue/catalogue.ts";
import { minorDigits } from "#shared/catalogue/prices.ts";
import texts from "#shared/locales/en/catalogue.json" with { type: "json" };

export type CatalogueLine = Pick<
  CatalogueRequest,
  | "name"
  | "email"
  | "personnelNumber"
  | "course"
  | "status"
  | "priceMinor"
  | "currency"
  | "costCentre"
  | "askedAt"
  | "decidedAt"
  | "decidedBy"
  | "manager"
  | "note"
  | "reason"
  | "closed"
> & { code: string };

/** The price as a decimal number with a point, for spreadsheets. */
const priceOf = ({ priceMinor, currency }: CatalogueLine) =>
  priceMinor === null || currency === null ? null : priceMinor / 10 ** minorDigits(currency);

/** The columns of a file of requests and enrolments. */
export const catalogueFileColumns: [head: string, cellOf: (row: CatalogueLine) => string | number | null][] = [
  [texts.file.person, (row) => row.name],
  [texts.file.email, (row) => row.email],
  [texts.file.personnelNumber, (row) => row.personnelNumber],
  [texts.file.course, (row) => row.course],
  [texts.file.code, (row) => row.code],
  [texts.file.status, (row) => (row.closed ? texts.requests.closed[row.closed] : texts.statuses[row.status])],
  [texts.file.price, priceOf],
  [texts.file.currency, (row) => row.currency],
  [texts.file.costCentre, (row) => row.costCentre],
  [texts.file.askedAt, (row) => row.askedAt],
  [texts.file.decidedAt, (row) => row.decidedAt],
  [texts.file.decidedBy, (row) => row.decidedBy],
  [texts.file.manager, (row) => row.manager],
  [texts.file.note, (row) => row.note],
  [texts.file.reason, (row) => row.reason],
];

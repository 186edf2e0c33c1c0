import type { TFunction } from "i18next";
import { type ImportColumn, type ImportField, ownFieldOf } from "#shared/imports/importReasons.ts";
import type { ImportDetail } from "#shared/imports/imports.ts";

/** What a column is, as people read it: a field that everyone has, or the name of the company's own. */
export function columnText(column: ImportColumn, { fields }: Pick<ImportDetail, "fields">, t: TFunction) {
  const own = ownFieldOf(column);
  return own === null
    ? t(`imports.fields.${column as ImportField}`)
    : (fields.find(({ id }) => id === own)?.name ?? t("imports.goneField"));
}

import type { TFunction } from "i18next";
import { conditionText } from "#web/lessons/author/editing/conditionText.ts";
import { blockNames, type BlockName } from "#web/lessons/author/nodes/templates.ts";
import texts from "#shared/locales/en/lessonVersions.json" with { type: "json" };
import type { ChangedValue, FieldChange } from "#shared/lessons/versions/versions.ts";

type Field = keyof typeof texts.fields;
const isField = (field: string): field is Field => Object.hasOwn(texts.fields, field);

export const fieldName = (field: string, t: TFunction) =>
  t(`lessonVersions.fields.${isField(field) ? field : "other"}`);

export function kindName(kind: string, t: TFunction) {
  const name = { paragraph: "text" }[kind] ?? kind;
  return blockNames.includes(name as BlockName)
    ? t(`lessonDrafts.blocks.${name as BlockName}.name`)
    : t("lessonDrafts.checks.aBlock");
}

type Names = Parameters<typeof conditionText>[1];
function valueText(value: Exclude<ChangedValue, null>, names: Names, t: TFunction) {
  if (typeof value === "boolean") return t(value ? "lessonVersions.yes" : "lessonVersions.no");
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return `“${conditionText(value, names)}”`;
  return value.trim() === "" ? t("lessonVersions.empty") : `“${value}”`;
}

/** A changed setting in a sentence. */
export function changeText({ field, from, to }: FieldChange, names: Names, t: TFunction): string {
  if (field === "order") return t("lessonVersions.reordered");
  if (field === "rightAnswer") return t("lessonVersions.rightAnswer", { from: answer(from, t), to: answer(to, t) });
  const name = fieldName(field, t);
  if (field === "kind" && typeof from === "string" && typeof to === "string")
    return t("lessonVersions.wasIs", { field: name, from: kindName(from, t), to: kindName(to, t) });
  if (from === null && to === null) return t("lessonVersions.changedValue", { field: name });
  if (from === null) return t("lessonVersions.nowSet", { field: name, to: valueText(to!, names, t) });
  if (to === null) return t("lessonVersions.nowUnset", { field: name, from: valueText(from, names, t) });
  return t("lessonVersions.wasIs", { field: name, from: valueText(from, names, t), to: valueText(to, names, t) });
}

function answer(value: ChangedValue, t: TFunction) {
  if (value === "true" || value === "false") return t(`lessons.${value}`);
  return typeof value === "string" && value !== "" ? value : t("lessonVersions.empty");
}

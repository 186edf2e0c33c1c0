import type { TFunction } from "i18next";
import { formatDate, formatDuration, formatNumber } from "#web/core/format/format.ts";
import type { Variable } from "#shared/variables/variables.ts";
import type { VariableType, VariableValue } from "#shared/variables/variableTypes.ts";

/** A value as text; empty for none. */
export function valueText(
  value: VariableValue,
  { type, unit = "" }: { type: VariableType; unit?: string },
  t: TFunction,
): string {
  if (value === null) return "";
  if (typeof value === "boolean") return t(value ? "variables.yes" : "variables.no");
  if (typeof value === "number")
    return type === "duration" ? formatDuration(value) : withUnit(formatNumber(value, 2), unit);
  if (Array.isArray(value)) return value.map((one) => valueText(one, { type: "text" }, t)).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return type === "date" ? formatDate(value) : value;
}

const withUnit = (text: string, unit: string) => (unit === "" ? text : `${text} ${unit}`);

/** The label of a bar: an option, a number, `true` or `false`. */
export const barText = (label: string, { type }: { type: VariableType }, t: TFunction) => {
  if (type === "boolean") return t(label === "true" ? "variables.yes" : "variables.no");
  if (type === "duration") return formatDuration(Number(label));
  if (type === "number")
    return label
      .split("–")
      .map((bound) => formatNumber(Number(bound), 4))
      .join("–");
  return type === "date" ? formatDate(label) : label;
};

/** The type with its range: `Number, 1 to 10`. */
export function typeText({ type, constraints: { min, max } }: Pick<Variable, "type" | "constraints">, t: TFunction) {
  const name = t(`variables.types.${type}`);
  if (min !== undefined && max !== undefined)
    return t("variables.range.both", { type: name, min: formatNumber(min, 2), max: formatNumber(max, 2) });
  if (min !== undefined) return t("variables.range.min", { type: name, min: formatNumber(min, 2) });
  return max === undefined ? name : t("variables.range.max", { type: name, max: formatNumber(max, 2) });
}

import type { Comparison } from "#shared/conditions/conditions.ts";
import type { VariableValue } from "#shared/variables/variableTypes.ts";

// How values are compared: the same for the browser, the fold of the player, and groups in SQL (server/groups/compile)

export const isEmpty = (value: VariableValue) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);
const comparable = (value: VariableValue) => String(value).trim().toLowerCase();

/** What is a number in a text; bounded, so that PostgreSQL can convert it, too. */
export const NUMBER_PATTERN = "^[+-]?([0-9]{1,30}([.][0-9]{0,30})?|[.][0-9]{1,30})(e[+-]?[0-9]{1,2})?$";
const isNumber = new RegExp(NUMBER_PATTERN);
export function toNumber(value: VariableValue): number {
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? comparable(value) : "";
  return isNumber.test(text) ? Number(text) : Number.NaN;
}

/** Numbers are compared as numbers, texts without regard to case and outer spaces. */
export function isEqual(value: VariableValue, expected: VariableValue) {
  return comparable(value) === comparable(expected) || toNumber(value) === toNumber(expected);
}

/** Whether a value fulfils a comparison. Without a value only `notEqual` holds. */
export function compare(is: Comparison, value: VariableValue, expected: VariableValue): boolean {
  if (is === "notEqual") return isEmpty(value) || !isEqual(value, expected);
  if (isEmpty(value)) return false;
  if (is === "equal") return isEqual(value, expected);
  if (is === "contains") {
    if (Array.isArray(value)) return value.some((one) => comparable(one) === comparable(expected));
    return comparable(value).includes(comparable(expected));
  }
  return inOrder(is, toNumber(value), toNumber(expected));
}

/** `NaN` is in no order. Days as `2026-03-29` are in the order of their texts. */
export function inOrder<Value extends number | string>(
  is: Exclude<Comparison, "equal" | "notEqual" | "contains">,
  left: Value,
  right: Value,
) {
  if (is === "more") return left > right;
  if (is === "atLeast") return left >= right;
  return is === "less" ? left < right : left <= right;
}

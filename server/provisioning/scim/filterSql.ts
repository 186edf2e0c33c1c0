import { type RawBuilder, sql } from "kysely";
import { type Address, findAddress, type ResourceType } from "#server/provisioning/scim/attributes.ts";
import type { Filter, Operator, Value } from "#server/provisioning/scim/filter.ts";
import { invalidFilter, invalidPath, quote } from "#server/provisioning/scim/scimError.ts";
import { ENTERPRISE } from "#shared/provisioning/schemas.ts";

/** An attribute as an SQL expression. `exact`: upper and lower case differ. */
export type Column = {
  sql: RawBuilder<unknown>;
  type: "text" | "exact" | "boolean" | "time";
  /** A condition that every row with this value meets, and that has an index. */
  narrow?: (value: string) => RawBuilder<boolean>;
};
/** An attribute with several values: a row for each of them, and the columns of these rows. */
export type Values = { from: RawBuilder<unknown>; where: RawBuilder<boolean>; columns: Record<string, Column> };
/** The columns of a kind of resource by attribute and part: `name.givenName`, `emails`. */
export type Columns = (address: Address) => Column | Values | null;

export const isValues = (column: Column | Values): column is Values => "from" in column;

/** Entra names attributes of the enterprise extension without its URN: `manager eq "…"`. */
const findFiltered = (type: ResourceType, path: string) =>
  findAddress(type, path) ?? findAddress(type, `${ENTERPRISE}:${path}`);

/** SQL: the rows that meet a filter. Never null, so that it can be negated. */
export function compileFilter(type: ResourceType, columns: Columns, filter: Filter): RawBuilder<boolean> {
  const find = (path: string): [Column | Values, string | null] => {
    const address = findFiltered(type, path);
    const found = address && columns(address);
    if (!found) throw invalidFilter(`The attribute ${quote(path)} cannot be used in a filter.`);
    return [found, address.sub?.name ?? null];
  };
  const compile = (part: Filter, prefix: string): RawBuilder<boolean> => {
    switch (part.kind) {
      case "and":
      case "or":
        return sql<boolean>`(${sql.join(
          part.parts.map((one) => compile(one, prefix)),
          sql.raw(` ${part.kind} `),
        )})`;
      case "not":
        return sql<boolean>`(not ${compile(part.part, prefix)})`;
      case "values": {
        const address = findFiltered(type, part.path);
        if (address && !address.attribute.multiValued) return compile(part.filter, `${part.path}.`);
        const [found] = find(part.path);
        if (!isValues(found))
          throw invalidFilter(`${quote(part.path)} has a single value and cannot be filtered by square brackets.`);
        return anyValue(found, within(found, part.filter), narrowed(found, part.filter));
      }
      case "present":
      case "compare": {
        const [found, sub] = find(prefix + part.path);
        if (!isValues(found)) return test(found, part);
        const value = { ...part, path: sub ?? "value" };
        return anyValue(found, test(columnOf(found, value.path), value), narrowed(found, value));
      }
    }
  };
  return compile(filter, "");
}

function anyValue({ from, where }: Values, condition: RawBuilder<boolean>, narrow: RawBuilder<boolean> | null) {
  const exists = sql<boolean>`exists (select from ${from} where ${where} and ${condition})`;
  return narrow ? sql<boolean>`(${narrow} and ${exists})` : exists;
}

/** A condition with an index that all rows meet of which one value meets the filter; null if there is none. */
function narrowed(values: Values, filter: Filter): RawBuilder<boolean> | null {
  if (filter.kind === "and")
    return filter.parts.map((part) => narrowed(values, part)).find((condition) => condition !== null) ?? null;
  if (filter.kind !== "compare" || filter.operator !== "eq" || typeof filter.value !== "string") return null;
  const { narrow } = columnOf(values, filter.path);
  return narrow && !filter.value.includes("\0") ? narrow(filter.value.toWellFormed()) : null;
}

function columnOf({ columns }: Values, name: string): Column {
  const key = Object.keys(columns).find((one) => one.toLowerCase() === name.toLowerCase());
  if (key === undefined) throw invalidFilter(`The attribute ${quote(name)} cannot be used in a filter.`);
  return columns[key] as Column;
}

/** A filter in square brackets: its attributes are parts of one value. */
function within(values: Values, filter: Filter): RawBuilder<boolean> {
  if ("parts" in filter)
    return sql<boolean>`(${sql.join(
      filter.parts.map((one) => within(values, one)),
      sql.raw(` ${filter.kind} `),
    )})`;
  if (filter.kind === "not") return sql<boolean>`(not ${within(values, filter.part)})`;
  if (filter.kind === "values") throw invalidFilter("Square brackets cannot be nested.");
  return test(columnOf(values, filter.path), filter);
}

function test(column: Column, part: Extract<Filter, { kind: "compare" | "present" }>): RawBuilder<boolean> {
  const isPresent =
    column.type === "boolean" || column.type === "time"
      ? sql<boolean>`(${column.sql} is not null)`
      : sql<boolean>`(coalesce(${column.sql}, '') <> '')`;
  if (part.kind === "present") return isPresent;
  const { operator, value } = part;
  if (value === null) {
    if (operator === "eq") return sql<boolean>`(not ${isPresent})`;
    if (operator === "ne") return isPresent;
    throw invalidFilter("null can only be compared by eq or ne.");
  }
  if (column.type === "boolean") return testBoolean(column, operator, value);
  if (column.type === "time") return testTime(column, operator, value);
  return testText(column, operator, value);
}

function testBoolean({ sql: held }: Column, operator: Operator, value: Value) {
  const text = String(value).toLowerCase();
  if ((operator !== "eq" && operator !== "ne") || (text !== "true" && text !== "false"))
    throw invalidFilter("A boolean must be compared with true or false by eq or ne.");
  const wanted = sql.lit((text === "true") === (operator === "eq"));
  return sql<boolean>`(coalesce(${held}, false) = ${wanted})`;
}

const SIGNS = { eq: "=", ne: "<>", gt: ">", ge: ">=", lt: "<", le: "<=" } as const;

function testTime({ sql: held }: Column, operator: Operator, value: Value) {
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : null;
  if (!time || !Number.isFinite(time.getTime()))
    throw invalidFilter("A time must be written like 2026-03-29T08:00:00Z.");
  if (!(operator in SIGNS)) throw invalidFilter("A time must be compared by eq, ne, gt, ge, lt or le.");
  const sign = sql.raw(SIGNS[operator as keyof typeof SIGNS]);
  // Answers have milliseconds, so that an answer meets the filter that it is put into.
  return sql<boolean>`coalesce(
    date_trunc('milliseconds', ${held}) ${sign} ${time.toISOString()}::timestamptz,
    ${sql.lit(operator === "ne")}
  )`;
}

function testText({ sql: held, type, narrow }: Column, operator: Operator, value: Value) {
  if (typeof value === "boolean") throw invalidFilter("A string must be compared with a string.");
  const text = String(value).toWellFormed();
  if (text.includes("\0")) return sql<boolean>`${sql.lit(operator === "ne")}`;
  const fold = (of: RawBuilder<unknown>) => (type === "exact" ? of : sql`lower(${of})`);
  const [a, b] = [fold(held), fold(sql`${text}::text`)];
  switch (operator) {
    case "eq":
      return narrow
        ? sql<boolean>`(${narrow(text)} and ${a} = ${b} and ${a} is not null)`
        : sql<boolean>`coalesce(${a} = ${b}, false)`;
    case "ne":
      return sql<boolean>`(${a} is distinct from ${b})`;
    case "co":
      return sql<boolean>`coalesce(position(${b} in ${a}) > 0, false)`;
    case "sw":
      return sql<boolean>`coalesce(starts_with(${a}, ${b}), false)`;
    case "ew":
      return sql<boolean>`coalesce(right(${a}, length(${b})) = ${b}, false)`;
    default:
      return sql<boolean>`coalesce(${a} ${sql.raw(SIGNS[operator])} ${b}, false)`;
  }
}

/** SQL order by an attribute, and by id where it is the same or missing. */
export function compileOrder(type: ResourceType, columns: Columns, path: string, isDescending: boolean) {
  const address = findAddress(type, path);
  const found = address && columns(address);
  const column = found && isValues(found) ? (found.columns.sort ?? null) : found;
  if (!column) throw invalidPath(`Lists cannot be sorted by ${quote(path)}.`);
  const value = column.type === "text" ? sql`lower(${column.sql})` : column.sql;
  return sql`${value} ${sql.raw(isDescending ? "desc" : "asc")} nulls last`;
}

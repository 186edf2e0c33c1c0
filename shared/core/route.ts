import { z } from "zod";
import type { KeyScope } from "#shared/core/users.ts";

/** A contract: one endpoint as data. The server mounts it, the browser calls it, OpenAPI and the guard test read it. */
export type Contract = {
  /** Its domain: tag in OpenAPI, first part of the browser's query keys. Set by `defineContracts`. */
  domain: string;
  /** Its name in the domain: `list`. Set by `defineContracts`. */
  name: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  reply: z.ZodType;
  /** Largest accepted body, in bytes as sent; a larger one is a 413. */
  maxBytes: number;
  /** One sentence for people who read the API page. */
  does: string;
  /** The scope that an API key needs for it; without one, keys are refused. */
  keyScope: KeyScope | null;
  /** What waits if the server has more to do than it can. */
  priority: Priority;
};

/**
 * `learning`: launches and commits, which never wait. `light`: files sent as they are, and streams, which do not wait
 * because they take next to nothing. `page` is everything else, and comes before `heavy`: exports, reports, analyses.
 */
export type Priority = "learning" | "light" | "page" | "heavy";
/** The priority of a route that does not name one. */
export const priorityOfPath = (path: string): Priority => (/export/i.test(path) ? "heavy" : "page");

type Parts = {
  does: string;
  keyScope?: KeyScope;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  reply?: z.ZodType;
  maxBytes?: number;
  priority?: Priority;
};
type IdParams = z.ZodObject<{ id: z.ZodUUID }>;
type None = z.ZodOptional<z.ZodUndefined>;
type Built<M extends Contract["method"], P extends string, S extends Parts> = {
  domain: string;
  name: string;
  method: M;
  path: P;
  maxBytes: number;
  does: string;
  keyScope: KeyScope | null;
  priority: Priority;
  params: S["params"] extends z.ZodType ? S["params"] : P extends `${string}:id${string}` ? IdParams : None;
  query: S["query"] extends z.ZodType ? S["query"] : None;
  body: S["body"] extends z.ZodType ? S["body"] : None;
  reply: S["reply"] extends z.ZodType ? S["reply"] : None;
};

/** Bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;
/** Largest body of an endpoint that does not name another limit. */
const MAX_BODY_BYTES = 64 * KIB;

const none = z.undefined().optional();
const idParams = z.object({ id: z.uuid() });

function build<M extends Contract["method"]>(method: M) {
  return <P extends string, const S extends Parts>(path: P, parts: S) =>
    ({
      domain: "",
      name: "",
      method,
      path,
      does: parts.does,
      keyScope: parts.keyScope ?? null,
      maxBytes: parts.maxBytes ?? MAX_BODY_BYTES,
      priority: parts.priority ?? priorityOfPath(path),
      params: parts.params ?? (path.includes(":id") ? idParams : none),
      query: parts.query ?? none,
      body: parts.body ?? none,
      reply: parts.reply ?? none,
    }) as Built<M, P, S>;
}

/** Contract builders. `params` defaults to `{ id: uuid }` when the path holds `:id`; a missing `reply` is 204. */
export const get = build("GET");
export const post = build("POST");
export const patch = build("PATCH");
export const put = build("PUT");
export const del = build("DELETE");

/** The contracts of one domain: `defineContracts("companies", { list: get(…), … })`. */
export const defineContracts = <C extends Record<string, Contract>>(domain: string, contracts: C) =>
  Object.fromEntries(Object.entries(contracts).map(([name, contract]) => [name, { ...contract, domain, name }])) as C;

/** What a caller sends: keys whose schema is "nothing" are left out, and a query that may be empty is optional. */
export type Sent<C extends Contract> = Given<"params", C["params"]> &
  Given<"query", C["query"]> &
  Given<"body", C["body"]>;
type Given<K extends string, S extends z.ZodType> = [z.input<S>] extends [undefined]
  ? unknown
  : object extends z.input<S>
    ? { [k in K]?: z.input<S> }
    : { [k in K]: z.input<S> };

/** What a handler gets: parsed, with the defaults filled in. */
export type BodyOf<C extends Contract> = z.output<C["body"]>;
export type QueryOf<C extends Contract> = z.output<C["query"]>;

/** What the caller gets back. */
export type Reply<C extends Contract> = z.output<C["reply"]>;

/** The reply of every list endpoint: the items of one page, and the number of all items. */
export const page = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), total: z.int() });

/** Query fields of every list: search text, page (from 1), page size, and sort order as `field` or `-field`. */
export const listQuery = z.object({
  q: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(200).default(25),
  sort: z.string().max(40).optional(),
});

/** Maximum number of rows that a bulk action names by id. A larger selection is sent as the filter of its list. */
export const MAX_SELECTED = 5000;
/** Maximum number of companies or courses offered by a filter or a field. */
export const MAX_CHOICES = 5000;
/**
 * The rows of a bulk action: by `ids`, or by `filter` all rows of the list that match it when the action runs. Unknown
 * ids are skipped and not counted. Used as `z.object({ ...selectionOf(filter) }).refine(...isOneSelection)`.
 */
export const selectionOf = <F extends z.ZodType>(filter: F) => ({
  ids: z.array(z.uuid()).min(1).max(MAX_SELECTED).optional(),
  filter: filter.optional(),
});
/** Arguments of `refine`: either the rows or a filter are given, not both. */
export const isOneSelection = [
  ({ ids, filter }: { ids?: string[] | undefined; filter?: unknown }) => (ids === undefined) !== (filter === undefined),
  { error: "core.selection", path: ["ids"] as PropertyKey[] },
] as const;

/** The same fields, all optional and without defaults: fields missing from a change stay unchanged. */
export const changes = <S extends z.ZodRawShape>(input: z.ZodObject<S>) =>
  z.object(
    Object.fromEntries(
      Object.entries(input.shape).map(([name, field]) => [
        name,
        z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
      ]),
    ),
  ) as ReturnType<typeof input.partial>;

/** Sort orders of a list: `sortBy("name")` is `name` for ascending and `-name` for descending. */
export const sortBy = <F extends string>(...fields: F[]) =>
  z.enum(fields.flatMap((field): (F | `-${F}`)[] => [field, `-${field}`]));

/** The body of every failure: `error` is the English sentence, `code` the translation key. */
export const problemBody = z.object({
  error: z.string(),
  code: z.string(),
  issues: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ProblemBody = z.infer<typeof problemBody>;

import type { FastifyRequest } from "fastify";
import { Problem } from "#server/core/http/problem.ts";
import { badRequest } from "#server/statements/refusals.ts";
import type { Params } from "#server/statements/filters.ts";
import { readVersion, type XapiVersion } from "#server/statements/versions.ts";
import { storeLimits } from "#shared/statements/statements.ts";

/** An xAPI request, sent directly or by the alternate syntax of version 1.0.3 (Communication 1.3). */
export type StoreRequest = {
  method: string;
  params: Params;
  authorization: string | undefined;
  version: XapiVersion;
  contentType: string;
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
  acceptLanguage: string;
  body: Buffer;
};

/** A document in form encoding, which can triple its size, and the other fields. */
const MAX_ALTERNATE_BYTES = 3 * storeLimits.document + 64 * 1024;
const MAX_FIELDS = 100;
const METHODS = ["GET", "PUT", "POST", "DELETE"];
/** Form fields of the alternate syntax that stand for headers. */
const HEADERS = [
  "authorization",
  "x-experience-api-version",
  "content-type",
  "content-length",
  "if-match",
  "if-none-match",
  "accept-language",
];
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The method parameter of the alternate syntax; null if it is not used. */
export const alternateMethodOf = ({ query }: FastifyRequest) => {
  const { method } = query as Record<string, unknown>;
  return method === undefined ? null : String(method);
};

export const hasFormCredentials = (request: FastifyRequest) =>
  request.method === "POST" &&
  request.headers.authorization === undefined &&
  alternateMethodOf(request) !== null &&
  FORM.test(request.headers["content-type"] ?? "");

export function readStoreRequest(request: FastifyRequest): StoreRequest {
  const { headers, method } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const contentType = headers["content-type"] ?? "";
  const alternate = alternateMethodOf(request);
  const sentVersion = readVersion(headers["x-experience-api-version"]);
  if (alternate !== null && sentVersion !== "2.0.0") return readAlternate(request, alternate, body);
  if (alternate !== null) throw badRequest("version 2.0 has no alternate request syntax");
  return {
    method: method === "HEAD" ? "GET" : method,
    params: readParams(Object.entries(request.query as Record<string, unknown>)),
    authorization: headers.authorization,
    version: demandVersion(headers["x-experience-api-version"]),
    contentType,
    ifMatch: headers["if-match"],
    ifNoneMatch: headers["if-none-match"],
    acceptLanguage: headers["accept-language"] ?? "",
    body,
  };
}

function readAlternate(request: FastifyRequest, method: string, body: Buffer): StoreRequest {
  const { headers } = request;
  if (request.method !== "POST") throw badRequest("the alternate request syntax is only for POST");
  if (!METHODS.includes(method)) throw badRequest("there is no such method");
  if (Object.keys(request.query as object).length > 1) throw badRequest("there are parameters besides method");
  if (body.length > MAX_ALTERNATE_BYTES) throw new Problem(413, "core.tooLarge");
  const text = body.toString("utf8");
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) throw badRequest("there are too many fields");
  const fields = [...new URLSearchParams(text)];
  const given = new Map(
    fields.flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      return HEADERS.includes(lower) ? [[lower, value] as const] : [];
    }),
  );
  const header = (name: string) => given.get(name) ?? (headers[name] as string | undefined);
  const content = fields.find(([name]) => name === "content")?.[1];
  if (content === undefined && (method === "PUT" || method === "POST")) throw badRequest("there is no field content");
  return {
    method,
    params: readParams(fields.filter(([name]) => name !== "content" && !HEADERS.includes(name.toLowerCase()))),
    authorization: header("authorization"),
    version: demandVersion(header("x-experience-api-version")),
    contentType: given.get("content-type") ?? "application/json",
    ifMatch: header("if-match"),
    ifNoneMatch: header("if-none-match"),
    acceptLanguage: header("accept-language") ?? "",
    body: Buffer.from(content ?? "", "utf8"),
  };
}

function readParams(entries: [string, unknown][]): Params {
  const params: Params = Object.create(null) as Params;
  for (const [name, value] of entries) {
    if (typeof value !== "string" || name in params) throw badRequest(`${name.slice(0, 60)} is given twice`);
    if (value.includes("\0") || !value.isWellFormed()) throw badRequest(`${name.slice(0, 60)} is not a text`);
    params[name] = value;
  }
  return params;
}

export function demandVersion(header: unknown): XapiVersion {
  const version = readVersion(header);
  if (!version) throw badRequest("the header X-Experience-API-Version names no version that the store knows");
  return version;
}

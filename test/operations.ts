import type { Schema } from "#test/schemaInput.ts";

// The operations of an OpenAPI document, for tests that call every one of them

type Parameter = { name: string; in: "path" | "query"; required: boolean; schema: Schema };
export type Operation = {
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | null;
};
type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: Parameter[];
        requestBody?: { content: { "application/json": { schema: Schema } } };
      }
    >
  >;
};

/** Streams that stay open by design: `server/live/live.test.ts` reads them. */
export const ENDLESS_STREAMS = ["/api/live"];

/** All operations whose answers end. */
export const listOperations = (document: unknown): Operation[] =>
  Object.entries((document as Document).paths)
    .filter(([path]) => !ENDLESS_STREAMS.includes(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content["application/json"].schema ?? null,
      })),
    );

export type Sent = { method: string; url: string; type: string; body: string | Buffer | undefined };
type Reply = { status: number; text: string };
/** Longest time that an answer may take; a slow one on a busy machine is none. */
const HANGS_AFTER_MS = 20_000;

/** Sends a request over the network. Status 0: no answer in time, or the connection was closed. */
export async function sendTo(
  origin: string,
  { method, url, type, body }: Sent,
  headers: Record<string, string>,
): Promise<Reply> {
  try {
    const reply = await fetch(origin + url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
      headers: { ...headers, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  } catch (error) {
    return { status: 0, text: String((error as Error).cause ?? error) };
  }
}

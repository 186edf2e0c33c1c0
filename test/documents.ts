import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { documents, type DocumentDetail } from "#shared/documents/documents.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** Uploads documents and waits for the pipeline, through the endpoints that the browser uses. */
export function createDocumentMaker({ app, as }: Pick<Server, "app" | "as">) {
  const upload = async (by: Person, name: string, bytes: Uint8Array, documentId?: string) => {
    const path = `documents/${randomUUID()}/${name}`;
    const { headers, body } = multipart({ metadata: { purpose: "document" } }, bytes);
    const stored = await app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
      headers: { authorization: `Bearer ${by.token}`, ...headers },
      payload: body,
    });
    expect(stored.statusCode).toBe(200);
    const reply = await as(by)(documents.create, { body: { path, name, ...(documentId && { documentId }) } });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  /** The document once its newest version has come to an end. */
  const settled = async (by: Person, id: string): Promise<DocumentDetail> =>
    expect
      .poll(async () => (await as(by)(documents.get, { params: { id } })).body, { timeout: 120_000, interval: 100 })
      .toSatisfy(({ latest }: DocumentDetail) => ["ready", "held", "failed", "replaced"].includes(latest.state))
      .then(async () => (await as(by)(documents.get, { params: { id } })).body);
  return { upload, settled };
}

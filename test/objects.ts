import { randomUUID } from "node:crypto";
import { objectAddress, OBJECTS_PATH, type StoredObject, upload } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";
import { freePort } from "#test/process.ts";
import { start } from "#test/start.ts";

export type Reply = {
  status: number;
  body: StoredObject & { code?: string; error?: string; details?: { received: number } };
  headers: Headers;
};

/** A client of the object protocol that can also send invalid requests. */
export function createObjects(url: string, token: string | null) {
  const send = async (address: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = new Headers(init.headers);
    if (token) headers.set("authorization", `Bearer ${token}`);
    const reply = await fetch(address.startsWith("http") ? address : `${url}${address}`, { ...init, headers });
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      body: (text.startsWith("{") ? JSON.parse(text) : { text }) as Reply["body"],
    };
  };
  const command = (address: string, name: string, { offset, bytes }: { offset?: number; bytes?: Uint8Array } = {}) =>
    send(address, {
      method: "POST",
      headers: { [upload.command]: name, ...(offset !== undefined && { [upload.offset]: String(offset) }) },
      ...(bytes && { body: bytes as never }),
    });
  return {
    send,
    command,
    put: (path: string, bytes: Uint8Array, metadata: Record<string, string> = {}, fields: object = {}) => {
      const { headers, body } = multipart({ ...fields, metadata }, bytes);
      return send(`${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, { method: "POST", headers, body: body as never });
    },
    begin: async (path: string, size: number | string, metadata: Record<string, string> = {}) => {
      const reply = await send(`${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
        method: "POST",
        headers: { [upload.protocol]: "resumable", [upload.command]: "start", [upload.length]: String(size) },
        body: JSON.stringify({ metadata }),
      });
      return { ...reply, address: reply.headers.get(upload.url) ?? "" };
    },
    query: async (address: string) => {
      const { status, headers } = await command(address, "query");
      return { status, state: headers.get(upload.status), received: Number(headers.get(upload.received)) };
    },
    get: (path: string) => send(objectAddress(path)),
    change: (path: string, body: object) => send(objectAddress(path), { method: "PATCH", body: JSON.stringify(body) }),
    remove: (path: string) => send(objectAddress(path), { method: "DELETE" }),
    newToken: (path: string) => send(`${objectAddress(path)}?create_token=true`, { method: "POST" }),
    revoke: (path: string, downloadToken: string) =>
      send(`${objectAddress(path)}?delete_token=${downloadToken}`, { method: "POST" }),
    read: async (
      path: string,
      { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
    ) => {
      const reply = await fetch(`${url}${objectAddress(path)}?alt=media${query}`, {
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      });
      return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
    },
  };
}

export const newPath = (fileName: string) => `test/${randomUUID()}/${fileName}`;

/** A listening server with small quotas: 400 MB in total, 20 MB per company. */
export async function startFileServer(env: Record<string, string>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await start({
    ...env,
    PUBLIC_URL: url,
    CONTENT_ORIGIN: `http://localhost:${port + 1}`,
    STORAGE_QUOTA: "400MB",
    COMPANY_STORAGE_QUOTA: "20MB",
  });
  await server.app.listen({ port, host: "127.0.0.1" });
  const classroom = await server.make.classroom();
  return { ...server, ...classroom, url, port, adminClient: createObjects(url, classroom.admin.token) };
}

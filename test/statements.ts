import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { Person, start } from "#test/start.ts";
import { type ClientScope, RECORD_STORE_PATH, statements } from "#shared/statements/statements.ts";
import type { StoredStatement } from "#shared/statements/xapi.ts";

type Server = Awaited<ReturnType<typeof start>>;
type Sent = {
  method?: "GET" | "PUT" | "POST" | "DELETE" | "HEAD" | "OPTIONS";
  params?: Record<string, string>;
  body?: unknown;
  version?: string;
  headers?: Record<string, string>;
};

/** Keys of companies, and calls with them. */
export function createRecordClient({ app, as, make }: Pick<Server, "app" | "as" | "make">) {
  const createKey = async (admin: Person, companyId: string, scopes: ClientScope[] = ["all"]) => {
    const reply = await as(admin)(statements.createClient, { body: { name: "Tool", companyId, scopes } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const { id, userName, secret } = reply.body;
    const authorization = `Basic ${Buffer.from(`${userName}:${secret}`).toString("base64")}`;
    return { id, userName, secret, authorization };
  };
  const call = (authorization: string, path: string, sent: Sent = {}) => {
    const { method = "GET", params = {}, body, version = "1.0.3", headers } = sent;
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    return app.inject({
      method,
      url: `${RECORD_STORE_PATH}${path}?${new URLSearchParams(params)}`,
      headers: {
        authorization,
        "x-experience-api-version": version,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
    });
  };
  /** A company with a key, and short forms of calls with it. */
  const company = async (scopes?: ClientScope[]) => {
    const classroom = await make.classroom();
    const key = await createKey(classroom.admin, classroom.company.id, scopes);
    const on = (path: string, sent?: Sent) => call(key.authorization, path, sent);
    const send = (body: unknown, sent: Sent = {}) => on("/statements", { method: "POST", body, ...sent });
    const list = async (params: Record<string, string> = {}) => {
      const reply = await on("/statements", { params });
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json<{ statements: StoredStatement[]; more: string }>();
    };
    return { ...classroom, key, on, send, list };
  };
  return { createKey, call, company };
}

export const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

/** A body of the type multipart/mixed with statements and attachments. */
export function mixed(sent: unknown, files: { hash: string; bytes: Buffer | string; type?: string }[]) {
  const boundary = "boundary-of-the-test";
  const parts = [
    `--${boundary}\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(sent)}`,
    ...files.flatMap(({ hash, bytes, type = "text/plain" }) => [
      `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-transfer-encoding: binary\r\n` +
        `x-experience-api-hash: ${hash}\r\n\r\n`,
      bytes,
    ]),
    `\r\n--${boundary}--\r\n`,
  ];
  return {
    body: Buffer.concat(parts.map((part) => Buffer.from(part))),
    headers: { "content-type": `multipart/mixed; boundary=${boundary}` },
  };
}

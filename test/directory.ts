import { expect } from "vitest";
import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";
import type { Person, start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type ScimUser = {
  id: string;
  userName: string;
  active: boolean;
  meta: { version: string; location: string };
} & Record<string, unknown>;
export type ScimList<T = ScimUser> = { totalResults: number; Resources: T[]; itemsPerPage: number; startIndex: number };

// Typed from RFC 7643 and 7644, not taken from what is tested.
export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const FIELDS = "urn:ietf:params:scim:schemas:extension:lyceum:2.0:User";
export const SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
export const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
export const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** The directory of a company: a key, and calls with it as Entra, Okta and others make them. */
export function createDirectories({ app, as, db, make }: Pick<Server, "app" | "as" | "db" | "make">) {
  const createKey = async (admin: Person, companyId: string, name = "Entra ID") => {
    const reply = await as(admin)(provisioning.createKey, { params: { id: companyId }, body: { name } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  const caller =
    (key: string) =>
    async (method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const reply = await app.inject({
        method,
        url: SCIM_PATH + path,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { "content-type": "application/scim+json" }),
          ...headers,
        },
        ...(body !== undefined && {
          payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        }),
      });
      return { status: reply.statusCode, body: (reply.body ? reply.json() : null) as never, headers: reply.headers };
    };
  const company = async () => {
    const classroom = await make.classroom();
    const key = await createKey(classroom.admin, classroom.company.id);
    const call = caller(key.key);
    const done = async <T>(method: Method, path: string, body?: unknown, headers?: Record<string, string>) => {
      const reply = await call(method, path, body, headers);
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      return reply.body as T;
    };
    const create = (user: object) => done<ScimUser>("POST", "/Users", { schemas: [USER], ...user });
    const patch = (id: string, ...Operations: object[]) =>
      done<ScimUser>("PATCH", `/Users/${id}`, { schemas: [PATCH], Operations });
    const read = (id: string) => done<ScimUser>("GET", `/Users/${id}`);
    const find = (filter: string, kind = "Users") =>
      done<ScimList>("GET", `/${kind}?${new URLSearchParams({ filter })}`);
    /** As if everyone had been here for a while. */
    const age = () =>
      db
        .updateTable("users")
        .set({ createdAt: new Date(Date.now() - 48 * 3_600_000).toISOString() })
        .where("companyId", "=", classroom.company.id)
        .execute();
    return { ...classroom, age, key, call, done, create, patch, read, find };
  };
  return { createKey, caller, company };
}

export const patchOf = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

/** Whether a suspension waits for a decision: the only reason for 503 of a server that is not busy. */
export const isWaiting = ({ status, body }: { status: number; body: unknown }) =>
  status === 503 && JSON.stringify(body).includes("waits until an administrator");

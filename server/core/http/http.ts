import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { withCause } from "#server/core/database/db.ts";
import { onPool, type PoolKind } from "#server/core/database/pools.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import { compressReply } from "#server/core/http/compression.ts";
import { limitValues } from "#server/core/limits/bodyValues.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import type { Services } from "#server/core/services.ts";
import { explain } from "#server/core/http/issues.ts";
import { forbidden, Problem, signedOut } from "#server/core/http/problem.ts";
import type { Contract } from "#shared/core/route.ts";
import type { Policy, User } from "#shared/core/users.ts";

/** What a service function gets: the caller and the services, never the request itself. */
export type Ctx<U extends User | null = User | null> = Services & { user: U };

type Caller<P> = P extends (user: User | null) => user is User ? User : User | null;
export type Call<C extends Contract, P extends Policy> = Ctx<Caller<P>> & {
  params: z.output<C["params"]>;
  query: z.output<C["query"]>;
  body: z.output<C["body"]>;
};
type Handler<C extends Contract, P extends Policy> = (
  call: Call<C, P>,
  http: { request: FastifyRequest; reply: FastifyReply },
) => Answer<z.input<C["reply"]>> | Promise<Answer<z.input<C["reply"]>> | Readable | FileAnswer | FastifyReply>;
type Answer<R> = [R] extends [undefined] ? void : R;

/** Mounts one endpoint: the policy says who may call it, the schemas of the contract check its input and its reply. */
export type Mount = <C extends Contract, P extends Policy>(
  contract: C,
  policy: P,
  handler: Handler<C, P>,
  options?: MountOptions,
) => void;
type MountOptions = {
  /** Checks a token other than the id token, before the body is read. Throws if the caller is refused. */
  authorise?: (request: FastifyRequest) => Promise<unknown>;
  /** The device of a guest, if it is known: its requests are counted for it instead of its network. */
  findDevice?: (request: FastifyRequest) => string | null;
};
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<User | null>;
/** Throws 403 `auth.reauthRequired` unless the session was opened or re-authenticated recently (`withReauth`). */
export type RequireReauth = (request: FastifyRequest, user: User) => Promise<void>;

export function mount(
  app: FastifyInstance,
  services: Services,
  authenticate: Authenticate,
  requireReauth: RequireReauth,
  limitGuest: GuestLimit,
): Mount {
  const callers = new WeakMap<FastifyRequest, User | null>();
  return <C extends Contract, P extends Policy>(
    contract: C,
    policy: P,
    handler: Handler<C, P>,
    { authorise, findDevice }: MountOptions = {},
  ) => {
    const hasEffects = contract.method !== "GET" && !authorise;
    const hasBody = contract.method !== "GET" && contract.method !== "DELETE";
    app.route({
      method: contract.method,
      url: contract.path,
      bodyLimit: contract.maxBytes,
      config: { priority: contract.priority },
      // Before the body is read, so that strangers cannot make the server inflate, parse or validate anything.
      onRequest: async (request, reply) => {
        // Replies may be personal, also for guests with a link. A handler can allow caching.
        reply.header("cache-control", "no-store");
        const user = await authenticate(request, reply);
        if (user) limitGuest.admit(request, user.role === "learner" ? "learner" : "other");
        if (user?.apiKey && !(contract.keyScope && user.apiKey.scopes.includes(contract.keyScope)))
          throw new Problem(403, "apiKeys.scope");
        if (!policy(user)) throw user ? forbidden() : signedOut();
        await authorise?.(request);
        if (authorise) limitGuest.admit(request, "learner");
        else if (contract.method === "GET") await limitGuest.slowRead(request);
        else await limitGuest.countWrite(request, findDevice?.(request));
        callers.set(request, user);
      },
      onSend: compressReply,
      handler: async (request, reply) => {
        const user = callers.get(request) ?? null;
        if (hasBody) limitValues(request.body, user || authorise ? "user" : "guest");
        const pooled = onPool(services, poolOf(contract, user));
        const call = {
          ...pooled,
          ...(contract.method !== "GET" && {
            db: withCause(pooled.db, {
              actorId: user?.id ?? null,
              reason: `${contract.domain}.${contract.name}`,
            }),
          }),
          log: request.log as Services["log"],
          user,
          params: read(contract.params, request.params, "params"),
          query: read(contract.query, request.query, ""),
          body: hasBody ? read(contract.body, request.body, "") : undefined,
        };
        if (user && !user.apiKey && policy.needsReauth?.(user, hasBody ? call.body : call.query))
          await requireReauth(request, user);
        const answer = await handler(call as Call<C, P>, { request, reply });
        // When the reply arrives, access that the call has revoked must be refused by every node.
        if (hasEffects) await services.accessChanges.settled();
        // The handler has sent the reply itself, perhaps to a client that has disconnected.
        if (reply.sent || reply.raw.headersSent) return reply;
        // Long replies are streams of JSON, which no schema checks.
        if (answer instanceof Readable) return reply.type("application/json; charset=utf-8").send(answer);
        if (answer instanceof FileAnswer && contract.priority !== "heavy")
          throw new Error(`${contract.path} answers with a file: its priority is heavy`);
        if (answer instanceof FileAnswer)
          return reply
            .header("content-disposition", `attachment; filename="${answer.name}"`)
            .header("x-rows", answer.rows)
            .type(answer.type)
            .send(answer.body);
        if (answer === undefined) return reply.code(204).send();
        return contract.reply.parse(answer);
      },
    });
  };
}

/** The connections of a call. Learners have their own, so that no admin can take them. */
function poolOf({ priority }: Contract, user: User | null): PoolKind {
  if (priority === "learning") return "learning";
  if (user?.role === "learner") return "learners";
  return priority === "heavy" ? "heavy" : "pages";
}

/** Parses one part of a request. A malformed id in the path is a row that does not exist: 404, not 422. */
function read<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const nothing = schema instanceof z.ZodOptional;
  const parsed = schema.safeParse(nothing ? undefined : (value ?? {}), { reportInput: true });
  if (parsed.success) return parsed.data;
  if (part === "params") throw new Problem(404, "core.notFound");
  throw new Problem(422, "core.invalid", { issues: explain(parsed.error) });
}

import type { Selectable } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { Person, PersonalData } from "#server/core/domains/personalData.ts";
import type { Tables } from "#server/core/domains/tables.ts";
import type { Ctx, Mount } from "#server/core/http/http.ts";
import type { Job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/core/users.ts";

/** A completed attempt, as it was recorded: rule, score, times, session. */
export type Completion = Selectable<DB["completionHistory"]>;

type Routes = (on: Mount, tools: never) => void;

/**
 * Everything that the rest of the server has to know about a domain, in its own folder (`server/<name>/domain.ts`).
 * `server/domains.ts` lists the domains. What tests need of it is beside it, in `probes.ts`.
 */
export type Domain = {
  /** The name of its folders. */
  name: string;
  /** The further domains that it may import: besides `core`, and those that every domain may use. */
  uses?: readonly string[];
  routes?: readonly Routes[];
  jobs?: readonly Job[];
  /**
   * Endpoints that others than admins may call (`auth.signIn`). The policies in `routes.ts` decide; this says it a
   * second time, so that one wrong word there opens nothing. Those for managers are closed to admins.
   */
  openTo?: { guests?: readonly string[]; learners?: readonly string[]; managers?: readonly string[] };
  /** Its tables by name, as in the database. */
  tables?: Tables;
  personalData?: PersonalData;
  /** What an erasure does besides changing the rows of `personalData`: before its transaction, and first in it. */
  erasure?: {
    before?: (ctx: Ctx<User>, person: Person) => Promise<void>;
    within?: (tx: Tx, person: Person, services: Pick<Services, "config">) => Promise<void>;
  };
  /** In a transaction after which vectors may come from another embedding model, or from a first one. */
  followsEmbedder?: (tx: Tx) => Promise<void>;
  /** What follows from a completed attempt (server/player/completionReactions.ts). */
  completions?: {
    /**
     * In the transaction that stores the completion; it may wait for nothing but statements of that transaction. If it
     * throws, only what it did is undone and the error is logged: whether learners can save never depends on it.
     */
    within?: (tx: Tx, completion: Completion) => Promise<void>;
    /**
     * Soon after it, once for each completion since the domain was first started, in a transaction of its own. If it
     * throws, it is called again later, until it succeeds. Completions of one learner come in their order, unless one
     * of them fails. The migration that removes a domain also deletes its row of `completion_followers`.
     */
    after?: (services: Services, tx: Tx, completion: Completion) => Promise<void>;
    /** In the transaction that takes a completion back. If it throws, the completion stays. */
    withdrawn?: (tx: Tx, completion: Completion) => Promise<void>;
  };
};

/** A domain that keeps the types of its routes, from which follows what they need (`RouteTools`). */
export const defineDomain = <R extends Routes>(
  domain: Omit<Domain, "routes"> & { routes?: readonly R[] },
): Omit<Domain, "routes"> & { routes?: readonly R[] } => domain;

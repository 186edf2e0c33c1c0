import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { activeUsers, userColumns } from "#server/auth/service.ts";
import { prepareQuery } from "#server/core/database/preparedQueries.ts";
import type { Services } from "#server/core/services.ts";
import type { User } from "#shared/core/users.ts";

const CACHED_USERS = 10_000;
const SESSIONS_PER_USER = 20;
/** Cached rows are read again after this time, in ms, because changes of `lastActive` are not announced. */
const CACHED_MS = 60_000;

/** Times in ms since the epoch. `sessions`: the end of each session, infinite if it has none. */
type Access = { user: User; tokenValidAfter: number; sessions: Map<string, number>; validUntil: number };

const readAccess = prepareQuery((db, { userId, sessionId }: { userId: string; sessionId: string }) =>
  activeUsers(db)
    .innerJoin("authSessions", "authSessions.userId", "users.id")
    .where("users.id", "=", userId)
    .where("authSessions.id", "=", sessionId)
    .select(userColumns)
    .select([
      sql<number>`(extract(epoch from users.token_valid_after) * 1000)::float8`.as("tokenValidAfter"),
      sql<number>`(extract(epoch from coalesce(auth_sessions.ends_at, 'infinity')) * 1000)::float8`.as("endsAt"),
      sql<boolean>`leads_people(users.id)`.as("leads"),
    ]),
);

/**
 * Returns a function that finds the user of an open session: an active user, in an active company, whose tokens issued
 * at `issuedAt` (seconds since the epoch) are still valid. Rows are cached while this node receives every change of
 * them (accessChanges.ts).
 */
export function createAccessCache({ db, accessChanges }: Pick<Services, "db" | "accessChanges">) {
  const cache = new LRUCache<string, Access>({ max: CACHED_USERS });
  let changes = 0;
  accessChanges.subscribe((userId) => {
    changes++;
    if (userId === null) cache.clear();
    else cache.delete(userId);
  });

  const load = async (userId: string, sessionId: string): Promise<Access | null> => {
    const before = changes;
    const [row] = await readAccess(db, { userId, sessionId });
    if (!row) return null;
    const { tokenValidAfter, endsAt, leads, ...columns } = row;
    const user: User = leads ? { ...columns, leadsPeople: true } : columns;
    const cachedSessions = cache.get(userId)?.sessions ?? [];
    const sessions = new Map([...cachedSessions, [sessionId, endsAt] as const].slice(-SESSIONS_PER_USER));
    const access = { user, tokenValidAfter, sessions, validUntil: Date.now() + CACHED_MS };
    // A row that was read before a change must not be cached after it.
    if (changes === before && accessChanges.isCurrent()) cache.set(userId, access);
    return access;
  };

  return async (userId: string, sessionId: string, issuedAt: number): Promise<User | null> => {
    const cached = accessChanges.isCurrent() ? cache.get(userId) : undefined;
    const isUsable = cached?.sessions.has(sessionId) && cached.validUntil > Date.now();
    const access = isUsable ? cached : await load(userId, sessionId);
    if (!access || (access.sessions.get(sessionId) as number) <= Date.now()) return null;
    return access.tokenValidAfter <= issuedAt * 1000 + 999 ? access.user : null;
  };
}

import { LRUCache } from "lru-cache";
import { setImmediate as nextTurn } from "node:timers/promises";
import { addName, createNames, type Names, removeName } from "#server/connectors/nameIndex.ts";
import type { AccessChanges } from "#server/core/database/accessChanges.ts";
import type { Services } from "#server/core/services.ts";

/** Maximum number of cached names on this node, over all sets of companies. */
const MAX_NAMES = 200_000;
/** Maximum number of changed people who are reread together; beyond it, the cache is cleared. */
const MAX_CHANGED = 1000;
/** Names that are added before yielding to other work. */
const AT_ONCE = 1000;

type Context = Pick<Services, "db" | "log" | "accessChanges">;
/** `companyId` and `name` are missing if the person was deleted. */
type Person = { id: string; companyId?: string | null; name?: string };
/**
 * The people of a set of companies. `names` is by the id of the person; `late`: people who changed while they were
 * being read.
 */
type People = { companyIds: Set<string>; names: Map<string, string>; index: Names; late: Person[] | null };
type Limits = { maxNames: number };

/** Caches the names of people while all changes are announced to this node (accessChanges.ts). */
export function createNameCache(accessChanges: AccessChanges, { maxNames }: Limits = { maxNames: MAX_NAMES }) {
  // Two sets are always cached, regardless of their size, because passages of all companies and questions of one
  // alternate.
  const cache = new LRUCache<string, People>({
    maxSize: maxNames,
    sizeCalculation: ({ names }) => Math.min(names.size + 1, Math.floor(maxNames / 2)),
  });
  /** Running queries, shared by concurrent callers. */
  const running = new Map<string, { people: People; done: Promise<People> }>();
  const changed = new Set<string>();
  let checking: Promise<void> = Promise.resolve();
  let isReported = false;

  function forgetAll() {
    cache.clear();
    running.clear();
    changed.clear();
  }
  function addChanged(userId: string | null) {
    if (userId === null || changed.size >= MAX_CHANGED) forgetAll();
    else if (cache.size + running.size > 0) changed.add(userId);
  }
  function forgetCompany(companyId: string) {
    const stale = cache.entries().filter(([, { companyIds }]) => companyIds.has(companyId));
    for (const [key] of stale.toArray()) cache.delete(key);
    for (const [key, { people }] of running) if (people.companyIds.has(companyId)) running.delete(key);
  }
  accessChanges.subscribe(addChanged);
  accessChanges.subscribeToNewPeople((people) => {
    if (people && "companyId" in people) forgetCompany(people.companyId);
    else addChanged(people && people.userId);
  });

  /** Updates a person; most announced changes do not affect the name. */
  function update({ companyIds, names, index }: People, { id, companyId, name }: Person) {
    const before = names.get(id);
    const after = companyId && companyIds.has(companyId) ? name : undefined;
    if (before === after) return;
    if (before !== undefined) removeName(index, before);
    if (after !== undefined) addName(index, after);
    if (after === undefined) names.delete(id);
    else names.set(id, after);
  }

  /** Rereads the people who have changed, and updates the cache. */
  async function checkChanged(db: Context["db"]) {
    const ids = [...changed];
    changed.clear();
    if (ids.length === 0) return;
    // Queries that start after this line include these changes.
    const remembered = [...cache.values(), ...running.values().map(({ people }) => people)];
    try {
      const rows = await db.selectFrom("users").where("id", "in", ids).select(["id", "companyId", "name"]).execute();
      const known = new Map<string, Person>(rows.map((row) => [row.id, row]));
      const people = ids.map((id) => known.get(id) ?? { id });
      for (const one of remembered)
        if (one.late) one.late.push(...people);
        else for (const person of people) update(one, person);
    } catch (error) {
      forgetAll();
      throw error;
    }
  }

  async function read({ db, log }: Context, people: People) {
    const rows = await db
      .selectFrom("users")
      .where("companyId", "in", [...people.companyIds])
      .select(["id", "name"])
      .execute();
    for (const [at, { id, name }] of rows.entries()) {
      people.names.set(id, name);
      addName(people.index, name);
      if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    }
    if (people.names.size >= maxNames && !isReported) {
      isReported = true;
      const { size } = people.names;
      log.warn({ names: size, limit: maxNames }, "more names to mask than this node should remember");
    }
    return people;
  }

  /** Reads the people of companies, and caches them if the cache is still valid. */
  function startReading(ctx: Context, key: string, companyIds: string[]) {
    const people: People = { companyIds: new Set(companyIds), names: new Map(), index: createNames(), late: [] };
    const isMine = () => running.get(key) === reading;
    const reading = {
      people,
      done: read(ctx, people).then(
        (names) => {
          for (const person of names.late ?? []) update(names, person);
          names.late = null;
          if (isMine()) {
            running.delete(key);
            if (accessChanges.isCurrent()) cache.set(key, names);
          }
          return names;
        },
        (error: unknown) => {
          if (isMine()) running.delete(key);
          throw error;
        },
      ),
    };
    running.set(key, reading);
    return reading;
  }

  /** The names of the people of companies. */
  return async (ctx: Context, companyIds: string[]): Promise<Names> => {
    checking = checking.catch(() => {}).then(() => checkChanged(ctx.db));
    await checking;
    const key = companyIds.toSorted().join(" ");
    // While changes may be missed, nothing is shared or cached.
    const isCurrent = accessChanges.isCurrent();
    const known = isCurrent ? cache.get(key) : undefined;
    if (known) return known.index;
    const { done } = (isCurrent && running.get(key)) || startReading(ctx, key, companyIds);
    return (await done).index;
  };
}

/** The cache of each node of this process. */
const caches = new WeakMap<AccessChanges, ReturnType<typeof createNameCache>>();

export function readNames(ctx: Context, companyIds: string[]): Promise<Names> {
  const read = caches.get(ctx.accessChanges) ?? createNameCache(ctx.accessChanges);
  caches.set(ctx.accessChanges, read);
  return read(ctx, companyIds);
}

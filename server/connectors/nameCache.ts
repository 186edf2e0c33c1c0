import { LRUCache } from "lru-cache";
import { indexNames, type Names } from "#server/connectors/nameIndex.ts";
import type { AccessChanges } from "#server/core/database/accessChanges.ts";
import type { Services } from "#server/core/services.ts";

/** Names that are remembered on this node, of all companies together. */
const MAX_NAMES = 200_000;
/** Announced people who are read again at once; after more of them, everything is. */
const MAX_CHANGED = 1000;

type Context = Pick<Services, "db" | "accessChanges">;
/** `names` by the id of the person. */
type People = { names: Map<string, string>; index: Names };

/** Remembers the names of people as long as every change of them is heard of (accessChanges.ts). */
function createNameCache(accessChanges: AccessChanges) {
  const cache = new LRUCache<string, People>({ maxSize: MAX_NAMES, sizeCalculation: ({ names }) => names.size + 1 });
  const changed = new Set<string>();
  let changes = 0;
  let checking: Promise<void> = Promise.resolve();
  accessChanges.subscribe((userId) => {
    changes++;
    if (userId === null || changed.size >= MAX_CHANGED) {
      cache.clear();
      changed.clear();
    } else if (cache.size > 0) changed.add(userId);
  });

  /** Forgets the companies of which a name has changed; most announced changes are of something else. */
  async function forgetChanged(db: Context["db"]) {
    const ids = [...changed];
    changed.clear();
    if (ids.length === 0) return;
    try {
      const rows = await db.selectFrom("users").where("id", "in", ids).select(["id", "companyId", "name"]).execute();
      const known = new Map(rows.map((row) => [row.id, row]));
      const nameIn = (companyId: string, id: string) => {
        const row = known.get(id);
        return row?.companyId === companyId ? row.name : undefined;
      };
      const stale = cache
        .entries()
        .filter(([companyId, { names }]) => ids.some((id) => names.get(id) !== nameIn(companyId, id)))
        .toArray();
      for (const [companyId] of stale) cache.delete(companyId);
    } catch (error) {
      cache.clear();
      throw error;
    }
  }

  async function readPeople(db: Context["db"], companyIds: string[]) {
    const rows = await db
      .selectFrom("users")
      .where("companyId", "in", companyIds)
      .select(["id", "companyId", "name"])
      .execute();
    const found = new Map(companyIds.map((id) => [id, new Map<string, string>()]));
    for (const { id, companyId, name } of rows) found.get(companyId as string)?.set(id, name);
    return found;
  }

  /** The names of the people of companies, one index each. */
  return async (db: Context["db"], companyIds: string[]): Promise<Names[]> => {
    checking = checking.catch(() => {}).then(() => forgetChanged(db));
    await checking;
    const known = companyIds.map((id) => [id, accessChanges.isCurrent() ? cache.get(id) : undefined] as const);
    const missing = known.filter(([, people]) => !people).map(([id]) => id);
    const before = changes;
    const read = missing.length > 0 ? await readPeople(db, missing) : new Map<string, Map<string, string>>();
    return known.map(([id, people]) => {
      if (people) return people.index;
      const names = read.get(id) ?? new Map<string, string>();
      const index = indexNames(names.values());
      // Names that were read before a change may not be remembered after it.
      if (changes === before && accessChanges.isCurrent()) cache.set(id, { names, index });
      return index;
    });
  };
}

/** The cache of each node of this process. */
const caches = new WeakMap<AccessChanges, ReturnType<typeof createNameCache>>();

export function readNames({ db, accessChanges }: Context, companyIds: string[]): Promise<Names[]> {
  const read = caches.get(accessChanges) ?? createNameCache(accessChanges);
  caches.set(accessChanges, read);
  return read(db, companyIds);
}

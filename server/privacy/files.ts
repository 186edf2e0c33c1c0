import { rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/core/db.ts'
import type { Ctx } from '#server/core/http.ts'
import { type Entry, type Person, presentEntries } from '#server/privacy/registry.ts'

type Stored = Entry & { storageKey: string }
const isStored = (entry: Entry): entry is Stored => entry.storageKey !== undefined

/** Paths below DATA_DIR/files that belong to this person alone. */
export async function listFiles(db: Db, person: Person): Promise<string[]> {
  const found: string[] = []
  for (const { table, where, storageKey } of (await presentEntries(db)).filter(isStored)) {
    const { rows } = await sql<{ path: string | null }>`select ${sql.ref(storageKey)} as path from ${sql.table(table)} where ${where(person)}`.execute(db)
    found.push(...rows.flatMap(({ path }) => path ?? []))
  }
  return found
}

/** Removes them from the disk; returns how many. A path that would lead out of the folder is left alone. */
export async function removeFiles({ db, config }: Ctx, person: Person) {
  const paths = (await listFiles(db, person)).map((path) => join(config.filesDir, path)).filter((path) => path.startsWith(config.filesDir + sep))
  await Promise.all(paths.map((path) => rm(path, { force: true })))
  return paths.length
}

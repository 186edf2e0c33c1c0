import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { privacy } from "#shared/privacy/privacy.ts";
import { startErasureServer } from "#test/erasureFixture.ts";

const { as, db, findInTables, createActivePerson, createClassroom } = await startErasureServer();

/**
 * Tables, indexes and TOAST tables of this database whose files contain one of the words, also in dead rows and free
 * space.
 */
async function findInDataFiles(words: string[]) {
  await sql`checkpoint`.execute(db);
  const { rows } = await sql<{ relation: string }>`
    select c.oid::regclass::text as relation from pg_class c
    where pg_relation_filepath(c.oid) is not null and c.relkind in ('r', 't', 'i', 'm') and c.relpersistence = 'p'
      and (${sql.join(
        words.map(
          (word) =>
            sql`position(
              convert_to(${word}, 'UTF8')
              in pg_read_binary_file(pg_relation_filepath(c.oid), 0, 1000000000, true)
            ) > 0`,
        ),
        sql` or `,
      )})
    order by 1`.execute(db);
  return rows.map(({ relation }) => relation);
}

test("dead rows of an erased person leave the data files when they are rewritten", { timeout: 120_000 }, async () => {
  const classroom = await createClassroom("delete");
  const person = await createActivePerson(classroom, `Zenobia ${randomUUID().slice(0, 12)}`);
  const words = [person.email, person.name];
  expect((await findInDataFiles(words)).length).toBeGreaterThan(5);
  expect((await as(person)(privacy.erase, { body: {} })).status).toBe(200);
  expect(await findInTables(person.words)).toEqual([]);
  await sql`vacuum`.execute(db);
  console.info("dead rows after VACUUM, in", await findInDataFiles(words));
  await sql`vacuum full`.execute(db);
  expect(await findInDataFiles(words)).toEqual([]);
});

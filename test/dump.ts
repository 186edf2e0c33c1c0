import type { Services } from "#server/core/services.ts";

/** Every row of every table of the product as text, as a dump holds them. */
export async function dumpText({ pool }: Services) {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      return rows.map(({ row }) => row).join("\n");
    }),
  );
  return texts.join("\n");
}

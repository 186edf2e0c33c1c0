import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { parseCompletion } from "#server/imports/checking/parseCompletion.ts";
import { parseRow } from "#server/imports/checking/parseRow.ts";
import type { ImportRecord } from "#server/imports/lease.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { type ImportColumn, type ImportField, ownFieldOf } from "#shared/imports/importReasons.ts";

type Mapped = Pick<ImportRecord, "id" | "companyId" | "about" | "dates"> & { mapping: (ImportColumn | null)[] };

/** Reads cells by the mapping, and stores what they say with the keys by which a person is found. */
export async function parseRows(
  tx: Tx,
  { id, companyId, about, dates, mapping }: Mapped,
  rows: { number: number; cells: string[] }[],
) {
  const hasOwn = mapping.some((column) => column && ownFieldOf(column));
  const definitions = hasOwn ? await listDefinitions(tx, companyId) : [];
  const own = new Map(definitions.map((field) => [field.id, field]));
  const { zone } = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select("timezone as zone")
    .executeTakeFirstOrThrow();
  const parse = (cells: string[]) =>
    about === "people" ? parseRow(cells, mapping, own, dates) : parseCompletion(cells, mapping, { dates, zone });
  const parsed = rows.map(({ number, cells }) => ({ number, ...parse(cells) }));
  const isUsable = (faults: { field: string | null }[], field: ImportField) =>
    !faults.some((fault) => fault.field === field);
  await sql`
    update people_import_rows
    set said = parsed.said,
      faults = parsed.faults,
      email_key = parsed.email_key,
      number_key = parsed.number_key
    from unnest(
      ${parsed.map(({ number }) => number)}::integer[],
      ${parsed.map(({ said }) => JSON.stringify(said))}::jsonb[],
      ${parsed.map(({ faults }) => JSON.stringify(faults))}::jsonb[],
      ${parsed.map(({ said, faults }) => (isUsable(faults, "email") ? said.email : null))}::text[],
      ${parsed.map(({ said, faults }) =>
        isUsable(faults, "externalId") ? (said.externalId?.toLowerCase() ?? null) : null,
      )}::text[]
    ) parsed (number, said, faults, email_key, number_key)
    where people_import_rows.import_id = ${id}
      and people_import_rows.number = parsed.number`.execute(tx);
}

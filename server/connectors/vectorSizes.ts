import { sql } from "kysely";
import type { ConnectorRow } from "#server/connectors/candidates.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { Db } from "#server/core/database/db.ts";

/**
 * Accepts the length of the vectors of a model, if it is the one of those in the library, or the first one. Another one
 * is noted and refused with `vector_size`, because vectors of two lengths cannot be compared. A test of the connector
 * accepts any length; vectors of another one are then made anew.
 */
export async function acceptSize(
  db: Db,
  { id, vectorSizes }: Pick<ConnectorRow, "id" | "vectorSizes">,
  model: string,
  size: number,
  isTest: boolean,
) {
  const known = vectorSizes[model];
  if (known?.stored === size && known.sent === null) return;
  const before = sql`vector_sizes -> ${model}::text`;
  const accepted = isTest ? sql`true` : sql`coalesce((${before} ->> 'stored')::int, ${size}) = ${size}`;
  const { rows } = await sql<{ stored: number }>`
    update connectors
    set vector_sizes = vector_sizes || jsonb_build_object(
      ${model}::text,
      case
        when ${accepted} then jsonb_build_object('stored', ${size}::int, 'sent', null)
        else ${before} || jsonb_build_object('sent', ${size}::int)
      end)
    where id = ${id}
    returning (vector_sizes -> ${model}::text ->> 'stored')::int as stored`.execute(db);
  if (rows[0] && rows[0].stored !== size) throw new GatewayError("vector_size");
}

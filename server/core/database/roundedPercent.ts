import { type RawBuilder, sql } from "kysely";

/**
 * SQL: a percentage with one decimal, rounded like `roundPercent` (shared/core/percent.ts): first to the places in
 * which sums of the same numbers in another order do not differ.
 */
export const roundedPercent = (percent: RawBuilder<unknown>) => {
  const rounded = sql`round(round((${percent})::numeric, 8), 1)`;
  return sql<number | null>`case
    when ${percent} > 0 and ${percent} < 100 then least(99.9, greatest(0.1, ${rounded}))
    else ${rounded}
  end`;
};

import { type RawBuilder, sql } from "kysely";

/** SQL: a percentage with one decimal, rounded like `roundPercent` (shared/core/percent.ts). */
export const roundedPercent = (percent: RawBuilder<unknown>) =>
  sql<number | null>`case
    when ${percent} > 0 and ${percent} < 100 then least(99.9, greatest(0.1, round((${percent})::numeric, 1)))
    else round((${percent})::numeric, 1)
  end`;

import type { Selectable } from "kysely";
import type { RuleChanges } from "#server/core/database/db.types.ts";

/** A change of a completion rule as it is stored. */
export type RuleChangeRecord = Selectable<RuleChanges>;

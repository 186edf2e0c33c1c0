import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";

/** The tables of `server/core/`. */
export const core = defineDomain({
  name: "core",
  tables: {
    backups: { growth: rows(365, "installation"), kept: "for good: when backups were made" },
    throttles: {
      growth: rows(100, "installation"),
      kept: "until its time window ends",
      notPersonal: { "a hash; deleted after its time window": "key subject" },
    },
  },
});

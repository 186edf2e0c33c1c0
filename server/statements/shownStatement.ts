import { type RawBuilder, sql } from "kysely";
import { isShown, type Reader } from "#server/core/database/measured.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";

const measuredIn = { score: "scores", duration: "activeTime" } as const satisfies Record<string, MeasuredKind>;

/** SQL: a statement of `statements` without the score and the duration that its company does not show to the reader. */
export const statementFor = (reader: Reader): RawBuilder<unknown> =>
  Object.entries(measuredIn).reduce<RawBuilder<unknown>>(
    (statement, [name, kind]) => sql`case
        when ${isShown(reader, kind, "statements.companyId")} then ${statement}
        else (${statement}) #- array['result', ${name}::text] #- array['object', 'result', ${name}::text]
      end`,
    sql`statements.statement`,
  );

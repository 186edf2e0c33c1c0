import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { shown } from "#server/core/database/measured.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { selectLeavers } from "#server/imports/leavers.ts";
import { IMPORT_SCOPE } from "#server/imports/service.ts";
import type { imports } from "#shared/imports/imports.ts";
import { type ImportField, ownFieldOf, type Reason } from "#shared/imports/importReasons.ts";
import texts from "#shared/locales/en/imports.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Throws 404 unless the import is in the scope of the user. */
const findImport = ({ db, user }: Ctx<User>, id: string) =>
  db
    .selectFrom("peopleImports")
    .where("id", "=", id)
    .where(inScope(user, IMPORT_SCOPE))
    .select(["id", "companyId", "head", "fileName"])
    .executeTakeFirstOrThrow(notFound);

const selectRows = (db: Db, id: string) =>
  db
    .selectFrom("peopleImportRows")
    .where("importId", "=", id)
    .select([
      "number",
      "cells",
      "outcome",
      "reasons",
      "userId",
      sql<boolean>`applied_at is not null`.as("applied"),
      "undone",
    ]);

export const readRow = (db: Db, id: string, number: number) =>
  selectRows(db, id).where("number", "=", number).executeTakeFirstOrThrow(notFound);

export async function listRows(ctx: Ctx<User>, id: string, { outcome, page, size }: QueryOf<typeof imports.rows>) {
  await findImport(ctx, id);
  let rows = selectRows(ctx.db, id);
  if (outcome) rows = rows.where("outcome", "=", outcome);
  const { total } = await rows
    .clearSelect()
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await rows
    .orderBy("number")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

export async function listLeavers(ctx: Ctx<User>, id: string, { page, size }: QueryOf<typeof imports.leavers>) {
  const file = await findImport(ctx, id);
  // Materialized: for one page of the sorted list, PostgreSQL would otherwise look up the rows of each person again.
  const rows = ctx.db
    .with(
      (cte) => cte("leaving").materialized(),
      (db) =>
        selectLeavers(db, file).select([
          "users.id",
          "users.name",
          "users.email",
          "users.status",
          shown(ctx.user, "lastActivity", "users.companyId", sql<string | null>`users.last_active`).as("lastActive"),
          "personnelNumbers.number as externalId",
        ]),
    )
    .selectFrom("leaving");
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .orderBy(sql`lower(coalesce(nullif(name, ''), email))`)
    .orderBy("id")
    .limit(size)
    .offset((page - 1) * size)
    .selectAll()
    .execute();
  return { items, total };
}

/** People whom undoing left as they are: those who have acted or were changed since the import. */
export async function listStayed(ctx: Ctx<User>, id: string, { page, size }: QueryOf<typeof imports.stayed>) {
  await findImport(ctx, id);
  const stayed = (table: "people_import_rows" | "people_import_leavers") => sql`
    select user_id, min(undone) as undone
    from ${sql.table(table)}
    where import_id = ${id}
      and undone in ('acted', 'changed')
    group by user_id`;
  const { rows } = await sql<{
    id: string;
    name: string;
    email: string | null;
    why: "acted" | "changed";
    total: number;
  }>`
    select users.id, users.name, users.email, stayed.undone as why, count(*) over ()::int as total
    from (
      ${stayed("people_import_rows")}
      union
      ${stayed("people_import_leavers")}
    ) stayed
    join users on users.id = stayed.user_id
    order by lower(users.name), users.id
    limit ${size}
    offset ${(page - 1) * size}`.execute(ctx.db);
  return { items: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** The rejected rows as they are now, in the columns of the file and with reasons, to correct and import again. */
export async function exportRejected(ctx: Ctx<User>, id: string) {
  const { head, companyId } = await findImport(ctx, id);
  const own = new Map((await listDefinitions(ctx.db, companyId)).map((field) => [field.id, field.name]));
  const rejected = ctx.db.selectFrom("peopleImportRows").where("importId", "=", id).where("outcome", "=", "rejected");
  const { count } = await rejected.select((e) => e.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const rows = rejected.orderBy("number").select(["number", "cells", "reasons"]);
  return exportRows(
    "rejected",
    "csv",
    readRows(ctx, rows),
    [
      ...head.map((name, column): [string, (row: { cells: string[] }) => string] => [
        name,
        ({ cells }) => cells[column] ?? "",
      ]),
      [texts.csv.row, ({ number }) => number],
      [texts.csv.reasons, ({ reasons }) => reasons.map((reason) => sentenceOf(reason, own)).join(" ")],
    ],
    count,
  );
}

const sentenceOf = ({ field, code, row }: Reason, own: Map<string, string>) => {
  const text = fillText(texts.reasons[code], { row: row ?? "" });
  if (!field) return `${text}.`;
  const ownField = ownFieldOf(field);
  return `${ownField ? (own.get(ownField) ?? "") : texts.fields[field as ImportField]}: ${text}.`;
};

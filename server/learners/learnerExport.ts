import { sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { roundedPercent } from "#server/core/database/roundedPercent.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { listHidden } from "#server/core/database/measured.ts";
import { listDefinitions, textOfValue, valuesFor } from "#server/fields/values.ts";
import {
  findCompanies,
  matchLearners,
  scoreFor,
  secondsFor,
  seen,
  sortLearners,
} from "#server/learners/learnerRows.ts";
import type { FieldValues } from "#shared/fields/fields.ts";
import { learnerFileColumns, type LearnerLine } from "#shared/learners/learnerFile.ts";
import type { learners } from "#shared/learners/learners.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

/** All learners that match the filter of the list, as CSV or XLSX. */
export async function exportLearners(ctx: Ctx<User>, { format, ...query }: QueryOf<typeof learners.export>) {
  const matching = matchLearners(ctx, query, await findCompanies(ctx, query.q));
  const { total } = await matching.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  // In one pass for all learners, instead of row by row as for a page of the list.
  const statistics = ctx.db
    .selectFrom("enrolments")
    .innerJoin("companies as ofEnrolment", "ofEnrolment.id", "enrolments.companyId")
    .where(sql<boolean>`enrolments.status <> 'withdrawn'`)
    .groupBy("enrolments.userId")
    .select([
      "enrolments.userId",
      sql<number>`count(*)`.as("assigned"),
      sql<number>`count(*) filter (where enrolments.status = 'completed')`.as("completed"),
      sql<number>`count(*) filter (
        where is_overdue(due_date, of_enrolment.timezone, enrolments.status)
      )`.as("overdue"),
      roundedPercent(sql`avg(${scoreFor(ctx)})`).as("meanScore"),
      secondsFor(ctx).as("activeSeconds"),
    ]);
  const rows = sortLearners(ctx, matching, query, await listHidden(ctx.db, ctx.user))
    .innerJoin("companies as company", "company.id", "users.companyId")
    .leftJoin("managers", "managers.userId", "users.id")
    .leftJoin("users as leader", "leader.id", "managers.managerId")
    .leftJoin(statistics.as("statistics"), "statistics.userId", "users.id")
    .orderBy("users.id")
    .select([
      "users.name",
      "users.email",
      "users.status",
      "users.suspendedReason",
      seen(ctx, "lastActive").as("lastActive"),
      "users.invitedAt",
      "users.createdAt",
      "company.name as company",
      "statistics.meanScore",
      // An import finds the manager by either.
      sql<string | null>`coalesce(leader.email, (
        select personnel_numbers.number
        from personnel_numbers
        where personnel_numbers.user_id = leader.id
      ))`.as("managerEmail"),
      personnelNumber.as("personnelNumber"),
      valuesFor(ctx.user).as("fields"),
    ])
    .select(({ fn, val }) => [
      fn.coalesce("statistics.assigned", val(0)).as("assigned"),
      fn.coalesce("statistics.completed", val(0)).as("completed"),
      fn.coalesce("statistics.overdue", val(0)).as("overdue"),
      sql<number | null>`case
        when statistics.user_id is null then 0
        else statistics.active_seconds
      end`.as("activeSeconds"),
    ]);
  const scope = scopeOf(ctx.user);
  const companyId = scope.kind === "company" ? scope.companyId : (query.companyId ?? null);
  const definitions = await listDefinitions(ctx.db, companyId);
  const columns: [string, (row: LearnerLine & { fields: FieldValues }) => string | number | null][] = [
    ...learnerFileColumns,
    ...definitions.map((field): (typeof columns)[number] => [
      field.name,
      (row) => textOfValue(field, row.fields[field.id]),
    ]),
  ];
  return exportRows("learners", format, readRows(ctx, rows), columns, total);
}

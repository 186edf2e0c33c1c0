import { type RawBuilder, sql } from "kysely";
import { profileColumns } from "#server/auth/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { roundedPercent } from "#server/core/database/roundedPercent.ts";
import { inScope } from "#server/core/database/scope.ts";
import { hiddenFrom, listHidden, shown, shownSum } from "#server/core/database/measured.ts";
import { hasFieldValues, valuesFor } from "#server/fields/values.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import type { learners, LearnerSelection } from "#shared/learners/learners.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// How rows of learners are read, filtered and selected for bulk actions.

/** The columns of `users` by which `inScope` decides. */
export const USER_SCOPE = { company: "users.companyId", person: "users.id" };
/** Learners in the scope of the user, without columns. */
const learnersInScope = ({ db, user }: Pick<Ctx<User>, "db" | "user">) =>
  db
    .selectFrom("users")
    .where(sql<boolean>`users.role = 'learner'`)
    .where(inScope(user, USER_SCOPE));

type Reader = Pick<Ctx<User>, "user">;
/** When a learner was last there, the score and the active time of an enrolment, for those who may see them. */
export const seen = ({ user }: Reader, column: "lastActive" | "lastLoginAt") =>
  shown(user, "lastActivity", "users.companyId", sql<string | null>`${sql.ref(`users.${column}`)}`);
export const scoreFor = ({ user }: Reader) =>
  shown(user, "scores", "enrolments.companyId", sql<number | null>`enrolments.score_percent`);
export const secondsFor = ({ user }: Reader) =>
  shownSum(user, "activeTime", "enrolments.companyId", sql`enrolments.active_seconds`);

/** Learners in the scope of the user, with statistics of their enrolments, computed row by row. */
export const selectLearners = (ctx: Pick<Ctx<User>, "db" | "user">) =>
  learnersInScope(ctx)
    .innerJoin("companies", "companies.id", "users.companyId")
    .leftJoin("managers", "managers.userId", "users.id")
    .leftJoin("users as leader", "leader.id", "managers.managerId")
    .innerJoinLateral(
      (e) =>
        e
          .selectFrom("enrolments")
          .innerJoin("companies as ofEnrolment", "ofEnrolment.id", "enrolments.companyId")
          .whereRef("enrolments.userId", "=", "users.id")
          .where("enrolments.status", "!=", "withdrawn")
          .select([
            sql<number>`count(*)::int`.as("assigned"),
            sql<number>`count(*) filter (where enrolments.status = 'completed')::int`.as("completed"),
            sql<number>`count(*) filter (
              where is_overdue(due_date, of_enrolment.timezone, enrolments.status)
            )::int`.as("overdue"),
            sql<string | null>`max(enrolments.reminded_at)`.as("remindedAt"),
            roundedPercent(sql`avg(${scoreFor(ctx)})`).as("meanScore"),
            secondsFor(ctx).as("activeSeconds"),
          ])
          .as("work"),
      (join) => join.onTrue(),
    )
    .select(profileColumns)
    .select([seen(ctx, "lastActive").as("lastActive"), seen(ctx, "lastLoginAt").as("lastLoginAt")])
    .select([
      valuesFor(ctx.user).as("fields"),
      hiddenFrom(ctx.user, "users.companyId").as("hidden"),
      "companies.name as company",
      "users.invitedAt",
      "users.invitationExpiresAt",
      "users.suspendedReason",
      "users.version",
      "work.assigned",
      "work.completed",
      "work.overdue",
      "work.remindedAt",
      "work.meanScore",
      "work.activeSeconds",
      "managers.managerId",
      sql<string | null>`coalesce(nullif(leader.name, ''), leader.email)`.as("manager"),
      "leader.email as managerEmail",
    ]);

type LearnerFilter = NonNullable<LearnerSelection["filter"]>;

/** The companies whose names a search contains. */
export const findCompanies = ({ db }: Pick<Ctx<User>, "db">, q = "") =>
  findElsewhere(q, ["users.companyId"], (word) =>
    db
      .selectFrom("companies")
      .where(searchFor(word, ["companies.name"]))
      .select("id"),
  );

/** A filter on `users` alone: enrolments are looked up, not joined. */
export function matchLearners(
  ctx: Pick<Ctx<User>, "db" | "user">,
  filter: LearnerFilter,
  companies: Awaited<ReturnType<typeof findCompanies>>,
) {
  let rows = learnersInScope(ctx);
  const { companyId, courseId, groupId, managerId, status, progress, joinedOn, completedOn, overdueOn } = filter;
  const { fields, q } = filter;
  if (companyId) rows = rows.where("users.companyId", "=", companyId);
  if (courseId)
    rows = rows.where(hasEnrolment(sql`enrolments.course_id = ${courseId} and enrolments.status <> 'withdrawn'`));
  if (groupId)
    rows = rows.where(sql<boolean>`users.id in (
      select group_members.person_id
      from group_members
      where group_members.group_id = ${groupId}
        and group_members.until is null
    )`);
  if (status) rows = rows.where("users.status", "=", status);
  if (progress === "overdue") rows = rows.where(sql<boolean>`users.id in (${overdueUsers(ctx)})`);
  if (progress === "notStarted") rows = rows.where(hasEnrolment(sql`enrolments.status = 'assigned'`));
  if (progress === "completed")
    rows = rows
      .where(hasEnrolment(sql`enrolments.status = 'completed'`))
      .where(sql<boolean>`not ${hasEnrolment(sql`enrolments.status not in ('completed', 'withdrawn')`)}`);
  if (joinedOn) rows = rows.where(isOnDay(sql.ref("users.joined_at"), joinedOn));
  if (completedOn) rows = rows.where(sql<boolean>`users.id in (${completedUsers(ctx, completedOn)})`);
  if (overdueOn) rows = rows.where(sql<boolean>`users.id in (${overdueUsers(ctx)} and ${fellDueOn(overdueOn)})`);
  if (managerId === "none")
    rows = rows.where(sql<boolean>`not exists (select from managers where managers.user_id = users.id)`);
  else if (managerId)
    rows = rows.where(sql<boolean>`users.id in (select user_id from managers where manager_id = ${managerId})`);
  if (fields) rows = rows.where(hasFieldValues(fields));
  if (q) rows = rows.where(searchFor(q, ["users.name", "users.email"], companies));
  return rows;
}

const hasEnrolment = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select from enrolments
    where enrolments.user_id = users.id
      and ${condition}
  )`;
const overdueUsers = ({ user }: Pick<Ctx<User>, "user">) =>
  sql`
    select enrolments.user_id
    from enrolments
    join companies on companies.id = enrolments.company_id
    where ${isOverdue}
      and enrolments.user_id is not null
      and ${inScope(user, { company: "enrolments.companyId", person: "enrolments.userId" })}`;
/** SQL: whether a time is on a calendar day of the academy. */
const isOnDay = (time: RawBuilder<unknown>, day: string) => {
  const startOf = (date: RawBuilder<unknown>) =>
    sql`(${date}::timestamp at time zone (select coalesce(settings.time_zone, 'UTC') from settings))`;
  return sql<boolean>`(${time} >= ${startOf(sql`${day}::date`)} and ${time} < ${startOf(sql`(${day}::date + 1)`)})`;
};
/** The range of dates allows the use of the index: time zones are at most 26 hours apart. */
const fellDueOn = (day: string) =>
  sql`enrolments.due_date between ${day}::date - 3 and ${day}::date + 1
      and ${isOnDay(sql`((enrolments.due_date + 1)::timestamp at time zone companies.timezone)`, day)}`;
/** By the time of storage: a completion that a device sends days later counts on the day it arrives. */
const completedUsers = ({ user }: Pick<Ctx<User>, "user">, day: string) =>
  sql`
    select completion_history.person_id
    from completion_history
    where ${isOnDay(sql.ref("completion_history.recorded_at"), day)}
      and not completion_history.backfilled
      and ${inScope(user, { company: "completionHistory.companyId", person: "completionHistory.personId" })}`;

/** Ids of the selected learners in the scope of the user. */
export async function listSelectedLearners(ctx: Ctx<User>, { ids, filter = {} }: LearnerSelection) {
  if (ids) return [...new Set(ids)];
  const rows = await matchLearners(ctx, filter, await findCompanies(ctx, filter.q))
    .select("users.id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function listLearners(ctx: Ctx<User>, query: QueryOf<typeof learners.list>) {
  const matching = matchLearners(ctx, query, await findCompanies(ctx, query.q));
  return readPage(query, {
    ids: sortLearners(ctx, matching, query, await listHidden(ctx.db, ctx.user))
      .orderBy("users.id")
      .select("users.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectLearners(ctx).where(isOneOf("users.id", ids)).execute(),
  });
}

/** Orders by a column of `users`, by the company, or by a statistic, which is then computed for all rows. */
export function sortLearners(
  ctx: Ctx<User>,
  rows: ReturnType<typeof matchLearners>,
  { sort, q }: Pick<QueryOf<typeof learners.list>, "sort" | "q">,
  hidden: Set<MeasuredKind>,
) {
  const field = sort.replace("-", "");
  const order = orderBy(
    sort,
    {
      name: { notNull: sql`lower(coalesce(nullif(users.name, ''), users.email))` },
      email: { notNull: sql`lower(users.email)` },
      company: { notNull: sql`lower(companies.name)` },
      completed: { notNull: sql`coalesce(counted.count, 0)` },
      overdue: { notNull: sql`coalesce(counted.count, 0)` },
      lastActive: hidden.has("lastActivity") ? seen(ctx, "lastActive") : sql`users.last_active`,
    },
    { text: q, columns: ["users.name", "users.email"] },
  );
  if (field === "company") return rows.innerJoin("companies", "companies.id", "users.companyId").orderBy(order);
  if (field !== "completed" && field !== "overdue") return rows.orderBy(order);
  const counted = ctx.db
    .selectFrom("enrolments")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .where(field === "overdue" ? isOverdue : sql<boolean>`enrolments.status = 'completed'`)
    .groupBy("enrolments.userId")
    .select(["enrolments.userId", sql<number>`count(*)`.as("count")]);
  return rows.leftJoin(counted.as("counted"), "counted.userId", "users.id").orderBy(order);
}

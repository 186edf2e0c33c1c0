import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import { readCounted } from "#server/core/database/listing.ts";
import { issuePin } from "#server/auth/pins/pins.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import {
  countMembers,
  selectCourses,
  selectFigures,
  selectMembers,
  selectProgress,
  selectUrgent,
} from "#server/team/teamRows.ts";
import { HOME_ROWS, type TeamHome, type TeamMember, type team } from "#shared/team/team.ts";
import { teamFileColumns } from "#shared/team/teamFile.ts";
import { hasRequirements } from "#server/requirements/requirementRows.ts";
import { peopleOf } from "#server/managers/scope.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The most courses of a person, or of a filter. */
const MAX_COURSES = 500;

/** What needs a manager, and how their people stand. */
export async function readHome({ db, user }: Ctx<User>): Promise<TeamHome> {
  const { rows: counted } = await selectFigures(user).execute(db);
  const { people, direct, idle, ...figures } = counted[0] as (typeof counted)[number];
  const isAnyUrgent = figures.overdue + figures.dueSoon > 0;
  const urgent = isAnyUrgent ? (await selectUrgent(user, HOME_ROWS).execute(db)).rows : [];
  const selectIdle = sql<TeamMember>`${selectMembers(user, { state: "idle", sort: "due" })} limit ${HOME_ROWS}`;
  return {
    people,
    direct,
    figures,
    overdue: urgent.filter(({ state }) => state === "overdue"),
    dueNext: urgent.filter(({ state }) => state === "dueSoon"),
    idle: { total: idle, people: idle > 0 ? (await selectIdle.execute(db)).rows : [] },
    courses: (await selectProgress(user, HOME_ROWS).execute(db)).rows,
    hasRequirements: await hasRequirements(db, user.companyId as string),
  };
}

export const listTeam = ({ db, user }: Ctx<User>, query: QueryOf<typeof team.list>) =>
  readCounted(query, (limit, offset) =>
    sql<TeamMember & { total: number }>`
      ${selectMembers(user, query)}
      limit ${limit}
      offset ${offset}`.execute(db),
  );

/** The people of a manager that match, as CSV or XLSX. */
export async function exportTeam(ctx: Ctx<User>, { format, ...query }: QueryOf<typeof team.export>) {
  const { db, user } = ctx;
  const { rows: counted } = await countMembers(user, query).execute(db);
  const all = sql<TeamMember>`(${selectMembers(user, query)})`;
  const rows = readRows(ctx, db.selectFrom(all.as("rows")).selectAll());
  return exportRows("team", format, rows, teamFileColumns, counted[0]?.count ?? 0);
}

/** One person with their courses; 404 for anybody whom the manager does not lead. */
export async function readMember(ctx: Ctx<User>, id: string) {
  const { db, user } = ctx;
  const { rows: members } = await selectMembers(user, { sort: "name", id }).execute(db);
  if (!members[0]) throw notFound();
  const { rows: courses } = await selectCourses(user, id, MAX_COURSES).execute(db);
  await recordView(ctx, "team.open", id, { companyId: user.companyId });
  return { ...members[0], courses };
}

/** A new PIN for one of a manager's people; 404 for anybody else. */
export async function issueTeamPin(ctx: Ctx<User>, id: string, order: BodyOf<typeof team.issuePin>) {
  const { rows } = await sql`
    select people.user_id
    from ${peopleOf(ctx.user)} people
    where people.user_id = ${id}`.execute(ctx.db);
  if (rows.length === 0) throw notFound();
  return issuePin(ctx, id, order);
}

export async function listTeamCourses({ db, user }: Ctx<User>) {
  const { rows } = await selectProgress(user, MAX_COURSES).execute(db);
  return { items: rows.map(({ id, title }) => ({ id, title })) };
}

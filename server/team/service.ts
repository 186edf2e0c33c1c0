import { sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import { readCounted } from "#server/core/database/listing.ts";
import { exportRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { selectCourses, selectFigures, selectMembers, selectProgress } from "#server/team/teamRows.ts";
import { HOME_ROWS, type TeamHome, type TeamMember, type team } from "#shared/team/team.ts";
import { teamFileColumns } from "#shared/team/teamFile.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The most courses of a person, or of a filter. */
const MAX_COURSES = 500;

/** What needs a manager, and how their people stand. */
export async function readHome({ db, user }: Ctx<User>): Promise<TeamHome> {
  const { people = 0, direct = 0, idle = 0, ...figures } = (await selectFigures(user).execute(db)).rows[0] ?? {};
  const idlePeople =
    await sql<TeamMember>`${selectMembers(user, { state: "idle", sort: "due" })} limit ${HOME_ROWS}`.execute(db);
  return {
    people,
    direct,
    figures: figures as TeamHome["figures"],
    overdue: (await selectCourses(user, sql`state = 'overdue'`, HOME_ROWS).execute(db)).rows,
    dueNext: (await selectCourses(user, sql`state = 'dueSoon'`, HOME_ROWS).execute(db)).rows,
    idle: { total: idle, people: idlePeople.rows },
    courses: (await selectProgress(user, HOME_ROWS).execute(db)).rows,
  };
}

export const listTeam = ({ db, user }: Ctx<User>, query: QueryOf<typeof team.list>) =>
  readCounted(query, (limit, offset) =>
    sql<TeamMember & { total: number }>`
      ${selectMembers(user, query)}
      limit ${limit}
      offset ${offset}`.execute(db),
  );

export async function exportTeam({ db, user }: Ctx<User>, { format, ...query }: QueryOf<typeof team.export>) {
  const { rows } = await selectMembers(user, query).execute(db);
  return exportRows(
    "team",
    format,
    (async function* () {
      yield rows;
    })(),
    teamFileColumns,
    rows.length,
  );
}

/** One person with their courses; 404 for anybody whom the manager does not lead. */
export async function readMember(ctx: Ctx<User>, id: string) {
  const { db, user } = ctx;
  const { rows: members } = await selectMembers(user, { sort: "name", id }).execute(db);
  if (!members[0]) throw notFound();
  const { rows: courses } = await selectCourses(user, sql`user_id = ${id}`, MAX_COURSES).execute(db);
  await recordView(ctx, "team.open", id, { companyId: user.companyId });
  return { ...members[0], courses };
}

export async function listTeamCourses({ db, user }: Ctx<User>) {
  const { rows } = await selectProgress(user, MAX_COURSES).execute(db);
  return { items: rows.map(({ id, title }) => ({ id, title })) };
}

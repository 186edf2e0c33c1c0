import { type Selectable, sql } from "kysely";
import { recordView } from "#server/audit/service.ts";
import type { Db } from "#server/core/database/db.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { peopleOf } from "#server/managers/scope.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { User } from "#shared/core/users.ts";

/** A learner of a company; `today` is a day of its zone. */
export type Person = {
  id: string;
  name: string;
  status: User["status"];
  companyId: string;
  company: string;
  companyStatus: Selectable<DB["companies"]>["status"];
  zone: string;
  today: string;
};

const selectPerson = (db: Db, id: string) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .where("users.id", "=", id)
    .where("users.role", "=", "learner")
    .select(["users.id", "users.status", "companies.id as companyId", "companies.name as company"])
    .select(["companies.status as companyStatus", "companies.timezone as zone", nameOf().as("name")])
    .select(sql<string>`(now() at time zone companies.timezone)::date::text`.as("today"))
    .$castTo<Person>();

/** A learner in the scope of the user; 404 for any other. An admin's view is recorded. */
export async function getPerson(ctx: Ctx<User>, id: string): Promise<Person> {
  const person = await selectPerson(ctx.db, id)
    .where(inScope(ctx.user, { company: "users.companyId", person: "users.id" }))
    .executeTakeFirstOrThrow(notFound);
  await recordView(ctx, "reports.open", id, { companyId: person.companyId });
  return person;
}

/** One of the manager's people; 404 for anybody else. */
export async function getMember(ctx: Ctx<User>, id: string): Promise<Person> {
  const person = await selectPerson(ctx.db, id)
    .where(
      sql<boolean>`exists (
      select from ${peopleOf(ctx.user)} people
      where people.user_id = users.id
    )`,
    )
    .executeTakeFirstOrThrow(notFound);
  await recordView(ctx, "team.open", id, { companyId: person.companyId });
  return person;
}

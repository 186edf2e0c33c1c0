import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { User } from "#shared/core/users.ts";

/** 404 unless the company is in the scope of the user. */
export const findCompany = ({ db, user }: Pick<Ctx<User>, "db" | "user">, id: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);

import { sql } from "kysely";
import { hashToken } from "#server/core/secrets.ts";
import type { Db } from "#server/core/database/db.ts";

/** People who log in with a personnel number: learners without an email address, of companies that allow it. */
const selectPinPeople = (db: Db) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .innerJoin("personnelNumbers", "personnelNumbers.userId", "users.id")
    .leftJoin("authPins", "authPins.userId", "users.id")
    .where("users.role", "=", "learner")
    .where("users.email", "is", null)
    .where("companies.pinLogin", "!=", "off")
    .select(["users.id", "users.name", "users.status", "users.companyId", "personnelNumbers.number"])
    .select(["companies.name as company", "companies.slug as companyCode", "companies.pinLogin"])
    .select(["authPins.pinHash", "authPins.cardHash", "authPins.isInitial"]);

/** The person with a personnel number in the company with this code, both in lower case. */
export const findByNumber = (db: Db, { company, number }: { company: string; number: string }) =>
  selectPinPeople(db)
    .where("companies.slug", "=", company)
    .where(sql`lower(personnel_numbers.number)`, "=", number)
    .executeTakeFirst();

export const findByCard = (db: Db, card: string) =>
  selectPinPeople(db).where("authPins.cardHash", "=", hashToken(card)).executeTakeFirst();

export const findById = (db: Db, userId: string) =>
  selectPinPeople(db).where("users.id", "=", userId).executeTakeFirst();

import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { QuizAllowance } from "#shared/lessons/quiz.ts";

/** What a person gets on top, by the part of the quiz. */
export type Allowances = Map<string, QuizAllowance>;
export type AllowanceRow = { sco: string; attempts: number; minutes: number };

export const toAllowances = (rows: AllowanceRow[]): Allowances =>
  new Map(rows.map(({ sco, attempts, minutes }) => [sco, { attempts, minutes }]));

/** A subquery: the allowances of the enrolment of an attempt. */
export const allowancesOfAttempt = sql<AllowanceRow[]>`coalesce(
  (
    select json_agg(json_build_object('sco', sco, 'attempts', attempts, 'minutes', minutes))
    from quiz_allowances
    where quiz_allowances.enrolment_id = attempts.enrolment_id
  ),
  '[]'
)`;

export async function readAllowances(db: Db, enrolmentId: string | null): Promise<Allowances> {
  if (enrolmentId === null) return new Map();
  const rows = await db
    .selectFrom("quizAllowances")
    .where("enrolmentId", "=", enrolmentId)
    .select(["sco", "attempts", "minutes"])
    .execute();
  return toAllowances(rows);
}

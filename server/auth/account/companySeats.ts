import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";

// The seats of a company: how many learners it may have, if it has a limit.

type Company = { id: string; learnerLimit: number | null };

/** SQL condition on `users`: invited and active learners take a seat, suspended ones do not. */
export const takesSeat = sql<boolean>`users.status <> 'suspended'`;

/** The number of free seats: infinite without a limit, negative beyond it. The caller has locked the company's row. */
export async function countFreeSeats(tx: Tx, { id, learnerLimit }: Company): Promise<number> {
  if (learnerLimit === null) return Infinity;
  const { taken } = await tx
    .selectFrom("users")
    .where("companyId", "=", id)
    .where(takesSeat)
    .select((e) => e.fn.countAll<number>().as("taken"))
    .executeTakeFirstOrThrow();
  return learnerLimit - taken;
}

/** Throws 409 unless the company has seats for its learners and `added` more. The caller has locked its row. */
export async function refuseIfFull(tx: Tx, company: Company, added = 0) {
  if ((await countFreeSeats(tx, company)) < added)
    throw new Problem(409, "companies.full", { values: { limit: company.learnerLimit ?? 0 } });
}

import { setTimeout as sleep } from "node:timers/promises";
import type { start } from "#test/start.ts";

/** How long the other transaction has to reach the lock. */
const HELD_MS = 500;

/** Withdraws the course of a person in a transaction that is still open while `work` begins. */
export async function withdrawWhile(
  { services }: Pick<Awaited<ReturnType<typeof start>>, "services">,
  userId: string,
  courseId: string,
  work: () => Promise<unknown>,
) {
  const client = await services.pool.connect();
  await client.query("begin");
  const where = "where user_id = $1 and course_id = $2";
  await client.query(`select from enrolments ${where} for update`, [userId, courseId]);
  await client.query(`update enrolments set status = 'withdrawn' ${where}`, [userId, courseId]);
  const working = work();
  await sleep(HELD_MS);
  await client.query("commit");
  client.release();
  await working;
}

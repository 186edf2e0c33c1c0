import { sql } from "kysely";
import { z } from "zod";
import { countCourses } from "#server/auditPacks/content/indexPage.ts";
import { sumFiles } from "#server/auditPacks/content/pack.ts";
import { selectPacks, toPack } from "#server/auditPacks/packRows.ts";
import type { Db } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import { claimRows, isUnleased, leaseEnd, startHeartbeat } from "#server/core/lease.ts";
import type { Services } from "#server/core/services.ts";

/** Seconds after which another server continues with a pack whose server has stopped. */
const LEASE_SECONDS = 30;
/** Times that a pack is started before it counts as failed. */
const MAX_TRIES = 3;

type Taken = { id: string; state: "waiting" | "checking"; tries: number };

const takePack = async (db: Db) => {
  // Those whose servers died each time.
  await db
    .updateTable("auditPacks")
    .set({ state: "failed", leasedUntil: null })
    .where("state", "in", ["waiting", "checking"])
    .where("tries", ">=", MAX_TRIES)
    .where(isUnleased)
    .execute();
  const [taken] = await claimRows<Taken>(db, {
    table: "audit_packs",
    seconds: LEASE_SECONDS,
    limit: 1,
    due: sql`state in ('waiting', 'checking')`,
    order: sql`created_at`,
    set: [sql`tries = tries + 1`],
    returning: ["id", "state", "tries"],
  });
  return taken;
};

/** Sets columns of a pack that is still being worked on under the same order. */
const change = (db: Db, { id, state, tries }: Taken, values: object) =>
  db
    .updateTable("auditPacks")
    .set({ leasedUntil: null, ...values })
    .where("id", "=", id)
    .where("state", "=", state)
    .where("tries", "=", tries)
    .execute();

async function sumUp(services: Services, taken: Taken) {
  const { db, pools } = services;
  const renew = () => change(db, taken, { leasedUntil: leaseEnd(LEASE_SECONDS) }).catch(() => {});
  const stopHeartbeat = startHeartbeat(LEASE_SECONDS, renew);
  try {
    const row = await selectPacks(db).where("auditPacks.id", "=", taken.id).executeTakeFirst();
    if (!row) return;
    const pack = toPack(row);
    const counts = JSON.stringify(await countCourses(pools.exports.db, pack));
    const files = JSON.stringify(await sumFiles({ pools }, pack, row.company));
    const now = sql`now()`;
    await change(
      db,
      taken,
      taken.state === "waiting"
        ? { state: "made", files, counts, madeAt: now }
        : { state: "made", checkedFiles: files, checkedAt: now },
    );
  } finally {
    stopHeartbeat();
  }
}

/** Makes packs until none is left, one after the other. Also every minute, for those whose server has died. */
export const makePacks = job(
  "auditPacks:make",
  z.object({}),
  async (services) => {
    for (let taken = await takePack(services.db); taken; taken = await takePack(services.db)) {
      try {
        await sumUp(services, taken);
      } catch (error) {
        services.log.warn({ err: error, packId: taken.id }, "an audit pack was not made");
        await change(services.db, taken, taken.tries >= MAX_TRIES ? { state: "failed" } : {});
      }
    }
  },
  "* * * * *",
);

import { sql } from "kysely";
import { z } from "zod";
import { userColumns } from "#server/auth/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { matchLearners } from "#server/learners/learnerRows.ts";
import { notify } from "#server/notifications/notify.ts";
import { readAcademyZone } from "#server/settings/service.ts";
import type { User } from "#shared/core/users.ts";

// Once a day, admins are notified of how many people joined, completed a course or became overdue on the day before

/** The hours in which a run sends notifications. The later ones make up for a server that was down in the first. */
const [FIRST_HOUR, LAST_HOUR] = [7, 11];

/** The kinds of notifications, and the filter of the list of learners that counts and shows the people. */
const digests = [
  { kind: "peopleJoined", filter: "joinedOn" },
  { kind: "coursesCompleted", filter: "completedOn" },
  { kind: "peopleOverdue", filter: "overdueOn" },
] as const;

const formatDay = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );

/** Groups of admins who see the same people: those of the whole academy, and those of each company. */
async function listReaders({ db }: Services) {
  const admins = await db
    .selectFrom("users")
    .where("role", "=", "admin")
    .where("status", "=", "active")
    .select(userColumns)
    .orderBy("users.id")
    .execute();
  return [...Map.groupBy(admins, ({ companyId }) => companyId).values()];
}

/** Notifies the admins of one scope of the figures of a day: each of them once, however often this runs. */
async function tellReaders(services: Services, readers: User[], day: string) {
  const [user] = readers;
  if (!user) return;
  for (const { kind, filter } of digests) {
    const { count } = await matchLearners({ db: services.db, user }, { [filter]: day }, [])
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count === 0) continue;
    await inTransaction(services.db, (tx) =>
      notify(services, tx, {
        to: readers.map(({ id }) => id),
        kind,
        params: { count, day: formatDay(day) },
        link: `/learners?${filter}=${day}`,
        key: `${kind}:${day}`,
      }),
    );
  }
}

export const sendDigests = job(
  "reports:sendDigests",
  z.object({}),
  async (services) => {
    const zone = await readAcademyZone(services.db);
    const { rows } = await sql<{ hour: number; yesterday: string }>`
      select
        extract(hour from now() at time zone ${zone})::int as hour,
        ((now() at time zone ${zone})::date - 1)::text as yesterday`.execute(services.db);
    const [now] = rows;
    if (!now || now.hour < FIRST_HOUR || now.hour > LAST_HOUR) return;
    for (const readers of await listReaders(services)) await tellReaders(services, readers, now.yesterday);
  },
  "5 * * * *",
);

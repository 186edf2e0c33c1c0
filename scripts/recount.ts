import { readConfig } from "#server/core/config.ts";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { connectToPostgres } from "#server/core/postgres/commandConnection.ts";
import { recountLessons } from "#server/player/recountLessons.ts";
import { recountLearning } from "#server/reports/recount.ts";
import { recountConversations } from "#server/analysis/recount.ts";
import { recountVariables } from "#server/variables/fold/recount.ts";

/**
 * `npm run recount`: recomputes what is derived from sessions, enrolments, conversations and values, for the running
 * (or stopped) server, prints each difference, and repairs it. The exit code is 1 if there was one.
 */
const config = readConfig();
const log = createLog("error");
const embedded = config.databaseUrl ? null : await connectToPostgres(config.dataDir, log);
const pool = createPool(embedded?.connection ?? { connectionString: config.databaseUrl as string }, log, { max: 2 });
const db = createDb(pool);
const differences = [
  // Lessons come first: the history follows from them.
  ...[...(await recountLessons(db)), ...(await recountLearning(db)), ...(await recountConversations(db))].map(
    ({ what, id, ...values }) => ({
      what: `${what} ${id}`,
      ...values,
    }),
  ),
  ...(await recountVariables(db)).map(({ variableId, what, ...values }) => ({
    what: `variable ${variableId}: ${what}`,
    ...values,
  })),
];
for (const { what, stored, recounted } of differences)
  process.stdout.write(`${what}\n  stored    ${stored}\n  recounted ${recounted}\n`);
process.stdout.write(`${differences.length} differences\n`);
await pool.end();
await embedded?.close();
// A database that the server has started is watched as long as this process runs.
process.exit(differences.length > 0 ? 1 : 0);

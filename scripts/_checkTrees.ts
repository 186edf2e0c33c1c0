import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { readConfig } from "#server/core/config.ts";
import { createDb, createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { connectToPostgres } from "#server/core/postgres/commandConnection.ts";

/** Checks the trees of all issuers for `npm run verify-proof`. Returns the exit code. */
export async function checkDatabase(print: (line: string) => void) {
  const config = readConfig();
  const log = createLog("error");
  const embedded = config.databaseUrl ? null : await connectToPostgres(config.dataDir, log);
  const pool = createPool(embedded?.connection ?? { connectionString: config.databaseUrl as string }, log, { max: 2 });
  const { certificates, problems } = await checkTrees(createDb(pool));
  for (const problem of problems) print(problem);
  print(`${certificates} certificates checked, ${problems.length} problems`);
  await pool.end();
  await embedded?.close();
  return problems.length > 0 ? 1 : 0;
}

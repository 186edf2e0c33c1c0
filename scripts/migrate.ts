import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { openServices } from "#server/core/http/server.ts";

/**
 * `npm run migrate` applies the migrations without starting the server, for deployments that do so in a separate step.
 */
const { close } = await openServices(readConfig(), createLog("info"));
await close();
process.stdout.write("The database is up to date.\n");

import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { openServices } from "#server/core/server.ts";

/** Brings the database up to date without starting the server: `npm run migrate`, for deployments that do it apart. */
const { close } = await openServices(readConfig(), createLog("info"));
await close();
process.stdout.write("The database is up to date.\n");

import { listContracts } from "#server/endpoints.ts";
import { openApi } from "#server/core/http/openapi.ts";

/** Prints the OpenAPI document, for client generators: `npm run -s openapi > lyceum.json`. */
process.stdout.write(`${JSON.stringify(openApi(listContracts(), "http://localhost:3000"), null, 2)}\n`);

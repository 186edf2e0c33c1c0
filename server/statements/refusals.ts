import { Problem } from "#server/core/http/problem.ts";

// Refusals of the record store, with reasons for the developer of the client.

export const badRequest = (reason: string) => new Problem(400, "statements.badRequest", { values: { reason } });
export const refused = (reason: string) => new Problem(403, "statements.refused", { values: { reason } });

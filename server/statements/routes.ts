import type { Mount } from "#server/core/http/http.ts";
import { createClient, listClients, revokeClient } from "#server/statements/clients.ts";
import { listEntries, listVerbs } from "#server/statements/viewing/entries.ts";
import { readStatement, voidStatement } from "#server/statements/viewing/service.ts";
import {
  canManageClients,
  canReadClients,
  canReadStatements,
  canVoidStatements,
  statements,
} from "#shared/statements/statements.ts";

export function statementRoutes(on: Mount) {
  on(statements.list, canReadStatements, (call) => listEntries(call, call.query));
  on(statements.get, canReadStatements, (call) => readStatement(call, call.params.position));
  on(statements.void, canVoidStatements, (call) => voidStatement(call, call.params.position, call.body.reason));
  on(statements.verbs, canReadStatements, (call) => listVerbs(call, call.query.companyId));
  on(statements.listClients, canReadClients, (call) => listClients(call, call.query));
  on(statements.createClient, canManageClients, (call) => createClient(call, call.body));
  on(statements.revokeClient, canManageClients, (call) => revokeClient(call, call.params.id));
}

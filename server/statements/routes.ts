import type { Mount } from "#server/core/http/http.ts";
import { createClient, listClients, revokeClient } from "#server/statements/clients.ts";
import { canManageClients, canReadClients, statements } from "#shared/statements/statements.ts";

export function statementRoutes(on: Mount) {
  on(statements.listClients, canReadClients, (call) => listClients(call, call.query));
  on(statements.createClient, canManageClients, (call) => createClient(call, call.body));
  on(statements.revokeClient, canManageClients, (call) => revokeClient(call, call.params.id));
}

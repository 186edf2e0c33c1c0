import { readConnector } from "#server/connectors/connectorRows.ts";
import { listLocalModels } from "#server/connectors/local/modelFolders.ts";
import { testConnector } from "#server/connectors/connectorTest.ts";
import {
  createConnector,
  type FollowEmbedder,
  listConnectors,
  listProviderModels,
  removeConnector,
  setConnectorStatus,
  updateConnector,
} from "#server/connectors/service.ts";
import { listUsage, readSpending, setCompanyBudget, setSpending } from "#server/connectors/spending.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canManageConnectors, connectors } from "#shared/connectors/connectors.ts";

export function connectorRoutes(on: Mount, { followEmbedder }: { followEmbedder: FollowEmbedder }) {
  on(connectors.list, canManageConnectors, (call) => listConnectors(call, call.query));
  on(connectors.get, canManageConnectors, (call) => readConnector(call, call.params.id));
  on(connectors.create, canManageConnectors, (call) => createConnector(call, call.body));
  on(connectors.update, canManageConnectors, (call) =>
    updateConnector(call, call.params.id, call.body, followEmbedder),
  );
  on(connectors.setStatus, canManageConnectors, (call) =>
    setConnectorStatus(call, call.params.id, call.body.status, followEmbedder),
  );
  on(connectors.test, canManageConnectors, (call) =>
    testConnector(call, call.params.id, followEmbedder, call.body.model),
  );
  on(connectors.localModels, canManageConnectors, async (call) => ({ items: await listLocalModels(call.config) }));
  on(connectors.models, canManageConnectors, (call) => listProviderModels(call, call.params.id));
  on(connectors.remove, canManageConnectors, (call) => removeConnector(call, call.params.id));
  on(connectors.spending, canManageConnectors, (call) => readSpending(call));
  on(connectors.setSpending, canManageConnectors, (call) => setSpending(call, call.body));
  on(connectors.setCompanyBudget, canManageConnectors, (call) => setCompanyBudget(call, call.body));
  on(connectors.usage, canManageConnectors, (call) => listUsage(call, call.query));
}

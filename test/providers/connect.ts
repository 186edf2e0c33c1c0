import { connectors, type Connector, type ConnectorInput } from "#shared/connectors.ts";
import type { Provider } from "#test/providers/provider.ts";
import type { Contract, Reply, Sent } from "#shared/route.ts";

/** A call by an admin, as of `as(admin)` in tests of the server. */
type Caller = <C extends Contract>(contract: C, sent: Sent<C>) => Promise<{ status: number; body: Reply<C> }>;

/** A tested connector to a stand-in, with a model that costs 1 per million tokens read and 2 per million written. */
export async function connect(
  boss: Caller,
  provider: Provider,
  input: Partial<ConnectorInput> & { embeds?: boolean } = {},
): Promise<Connector> {
  const { embeds = false, ...rest } = input;
  const prices = [{ input: 1, output: 2, validFrom: "2020-01-01" }];
  const made = await boss(connectors.create, {
    body: {
      name: `Stand-in for ${provider.protocol}`,
      kind: provider.protocol,
      baseUrl: provider.url,
      apiKey: provider.key,
      models: [
        { id: "stand-in-large", use: "chat", prices },
        ...(embeds ? [{ id: "stand-in-vectors", use: "embedding" as const, prices }] : []),
      ],
      ...rest,
    },
  });
  if (made.status !== 200) throw new Error(`connector: ${JSON.stringify(made.body)}`);
  const tested = await boss(connectors.test, { params: { id: made.body.id }, body: {} });
  if (tested.body.lastTest?.code !== null) throw new Error(`test of the connector: ${JSON.stringify(tested.body)}`);
  return tested.body;
}

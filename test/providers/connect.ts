import { connectors, type Connector, type ConnectorInput } from "#shared/connectors/connectors.ts";
import type { Provider } from "#test/providers/provider.ts";
import type { Contract, Reply, Sent } from "#shared/core/route.ts";

/** A call by an admin, as of `as(admin)` in tests of the server. */
type Caller = <C extends Contract>(contract: C, sent: Sent<C>) => Promise<{ status: number; body: Reply<C> }>;

/** Speech to text at 0.6 per minute, text to speech at 10 per million characters. */
export const voiceModels = [
  { id: "stand-in-ears", use: "transcription" as const, prices: [{ input: 0.6, output: 0, validFrom: "2020-01-01" }] },
  {
    id: "stand-in-mouth",
    use: "speech" as const,
    prices: [{ input: 10, output: 0, validFrom: "2020-01-01" }],
    voices: ["alma", "bruno"],
  },
];

/** A tested connector to a stand-in, with a model that costs 1 per million tokens read and 2 per million written. */
export async function connect(
  boss: Caller,
  provider: Provider,
  input: Partial<ConnectorInput> & { embeds?: boolean; speaks?: boolean } = {},
): Promise<Connector> {
  const { embeds = false, speaks = false, ...rest } = input;
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
        ...(speaks ? voiceModels : []),
      ],
      ...rest,
    },
  });
  if (made.status !== 200) throw new Error(`connector: ${JSON.stringify(made.body)}`);
  const tested = await boss(connectors.test, { params: { id: made.body.id }, body: {} });
  if (tested.body.lastTest?.code !== null) throw new Error(`test of the connector: ${JSON.stringify(tested.body)}`);
  return tested.body;
}

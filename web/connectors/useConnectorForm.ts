import { useForm } from "@mantine/form";
import { type PresetName, presetOf, presets } from "#web/connectors/presets.ts";
import type { Connector, ConnectorInput, ConnectorModel } from "#shared/connectors/connectors.ts";

type Amount = number | "";
export type ModelValues = {
  key: string;
  id: string;
  use: ConnectorModel["use"];
  input: Amount;
  output: Amount;
  voices: string[];
};
/** Form values. Amounts may be empty texts while they are edited; timeouts are in seconds. */
export type ConnectorFormValues = {
  preset: PresetName;
  name: string;
  baseUrl: string;
  apiKey: string;
  models: ModelValues[];
  monthlyBudget: Amount;
  cheaperModel: string | null;
  fallbackIds: string[];
  firstTokenSeconds: Amount;
  totalSeconds: Amount;
  maxConcurrent: Amount;
  companyIds: string[];
  isDefault: boolean;
};

const today = () => new Date().toISOString().slice(0, 10);
const latestPrice = ({ prices }: ConnectorModel) =>
  prices.filter(({ validFrom }) => validFrom <= today()).toSorted((a, b) => b.validFrom.localeCompare(a.validFrom))[0];
export const newModel = (use: ConnectorModel["use"] = "chat"): ModelValues => ({
  key: crypto.randomUUID(),
  id: "",
  use,
  input: "",
  output: "",
  voices: [],
});

function initialValues(connector: Connector | undefined, isFirst: boolean): ConnectorFormValues {
  if (!connector)
    return {
      preset: "openai",
      name: "OpenAI",
      baseUrl: presets.openai.baseUrl,
      apiKey: "",
      models: [newModel()],
      monthlyBudget: "",
      cheaperModel: null,
      fallbackIds: [],
      firstTokenSeconds: 30,
      totalSeconds: 120,
      maxConcurrent: 20,
      companyIds: [],
      isDefault: isFirst,
    };
  const { name, baseUrl, models, monthlyBudget, cheaperModel, fallbacks, companyIds, isDefault, maxConcurrent } =
    connector;
  return {
    preset: presetOf(connector),
    name,
    baseUrl,
    apiKey: "",
    models: models.map((model) => {
      const price = latestPrice(model);
      return {
        ...newModel(model.use),
        id: model.id,
        input: price?.input ?? "",
        output: price?.output ?? "",
        voices: model.voices ?? [],
      };
    }),
    monthlyBudget: monthlyBudget ?? "",
    cheaperModel,
    fallbackIds: fallbacks.map(({ connectorId }) => connectorId),
    firstTokenSeconds: connector.firstTokenTimeoutMs / 1000,
    totalSeconds: connector.totalTimeoutMs / 1000,
    maxConcurrent,
    companyIds,
    isDefault,
  };
}

/** A price that differs from the latest one is valid from today; earlier prices remain for earlier calls. */
function pricesOf({ id, input, output }: ModelValues, before: ConnectorModel[]) {
  const stored = before.find((model) => model.id === id);
  const earlier = stored?.prices ?? [];
  if (input === "" && output === "") return stored && latestPrice(stored) ? [] : earlier;
  const price = { input: input || 0, output: output || 0 };
  const latest = stored && latestPrice(stored);
  if (latest && latest.input === price.input && latest.output === price.output) return earlier;
  return [...earlier.filter(({ validFrom }) => validFrom !== today()), { ...price, validFrom: today() }];
}

/** The input for the server. Fallbacks keep their models. */
export function toInput(values: ConnectorFormValues, connector?: Connector): ConnectorInput {
  const { preset, name, baseUrl, apiKey, models, monthlyBudget, cheaperModel, fallbackIds, companyIds } = values;
  const listed = models
    .map((model) => ({ ...model, id: model.id.trim() }))
    .filter(({ id }) => id !== "")
    .map((model) => ({
      id: model.id,
      use: model.use,
      prices: pricesOf(model, connector?.models ?? []),
      ...(model.use === "speech" && { voices: model.voices }),
    }));
  const keptKind = connector && preset === presetOf(connector) && connector.kind !== "builtin" ? connector.kind : null;
  const isLocal = preset === "local";
  return {
    name: name.trim(),
    kind: keptKind ?? presets[preset].kind,
    baseUrl: isLocal ? "" : baseUrl.trim(),
    ...(apiKey.trim() !== "" && !isLocal && { apiKey: apiKey.trim() }),
    models: listed,
    fallbacks: fallbackIds.map(
      (connectorId) =>
        connector?.fallbacks.find((fallback) => fallback.connectorId === connectorId) ?? { connectorId, model: null },
    ),
    cheaperModel: listed.some(({ id }) => id === cheaperModel) ? cheaperModel : null,
    firstTokenTimeoutMs: (values.firstTokenSeconds || 30) * 1000,
    totalTimeoutMs: (values.totalSeconds || 120) * 1000,
    maxConcurrent: values.maxConcurrent || 20,
    monthlyBudget: monthlyBudget === "" ? null : monthlyBudget,
    companyIds,
    isDefault: values.isDefault && !isLocal,
  };
}

export const useConnectorForm = (connector: Connector | undefined, isFirst: boolean) =>
  useForm<ConnectorFormValues>({ initialValues: initialValues(connector, isFirst) });
export type ConnectorForm = ReturnType<typeof useConnectorForm>;

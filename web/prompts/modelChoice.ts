import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { connectors, isLanguageModel } from "#shared/connectors/connectors.ts";

/** A connector and a model as the value of a select; empty for the default ones. */
export const toChoice = (value: string) => {
  const [connectorId, ...model] = value.split(" ");
  return { connectorId: connectorId || null, model: model.join(" ") || null };
};

/** False if a chatbot with this choice would quote documents, because no language model would answer. */
export function useHasModel(choice: string) {
  const { data } = useQuery(queryFor(connectors.list));
  if (!data) return true;
  const { connectorId } = toChoice(choice);
  const chosen = data.items.find(({ id, isDefault, state }) =>
    connectorId ? id === connectorId : isDefault && state !== "draft",
  );
  return chosen !== undefined && isLanguageModel(chosen.kind) && chosen.state !== "disabled";
}

/** Every chat model of the connectors in use, as options. */
export function useModelChoices() {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(connectors.list));
  const usable = (data?.items ?? []).filter(({ state }) => state !== "draft" && state !== "disabled");
  return [
    { value: "", label: t("prompts.defaultModel") },
    ...usable.flatMap(({ id, name, models }) =>
      models
        .filter(({ use }) => use === "chat")
        .map((model) => ({ value: `${id} ${model.id}`, label: `${name}, ${model.id}` })),
    ),
  ];
}

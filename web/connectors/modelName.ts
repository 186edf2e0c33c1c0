import type { TFunction } from "i18next";
import { BUILTIN_MODEL } from "#shared/connectors/connectors.ts";

/**
 * The name of a model for people: that of its provider, or a text for the built-in connector, which quotes documents.
 */
export const modelName = (model: string, t: TFunction) =>
  model === BUILTIN_MODEL ? t("connectors.kinds.builtin") : model;

/** Connector and model, once if they have the same name. */
export const connectorAndModel = (connector: string, model: string | null, t: TFunction) =>
  [...new Set([connector, ...(model ? [modelName(model, t)] : [])])].join(", ");

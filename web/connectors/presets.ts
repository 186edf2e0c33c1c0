import type { ConnectorInput } from "#shared/connectors/connectors.ts";

type Preset = { kind: ConnectorInput["kind"]; baseUrl: string; needsKey: boolean };

/** Known providers. Placeholders in an address are completed by the admin. */
export const presets = {
  openai: { kind: "openai", baseUrl: "https://api.openai.com/v1", needsKey: true },
  azure: { kind: "azure", baseUrl: "https://NAME.openai.azure.com/openai/v1", needsKey: true },
  anthropic: { kind: "anthropic", baseUrl: "https://api.anthropic.com/v1", needsKey: true },
  google: { kind: "google", baseUrl: "https://generativelanguage.googleapis.com/v1beta", needsKey: true },
  mistral: { kind: "openai", baseUrl: "https://api.mistral.ai/v1", needsKey: true },
  ollama: { kind: "openai", baseUrl: "http://localhost:11434/v1", needsKey: false },
  vllm: { kind: "openai", baseUrl: "http://localhost:8000/v1", needsKey: false },
  lmStudio: { kind: "openai", baseUrl: "http://localhost:1234/v1", needsKey: false },
  local: { kind: "local", baseUrl: "", needsKey: false },
  other: { kind: "openai", baseUrl: "", needsKey: false },
} satisfies Record<string, Preset>;
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

/** The provider that an address belongs to. */
export const presetOf = ({ kind, baseUrl }: { kind: string; baseUrl: string }): PresetName =>
  presetNames.find((name) => presets[name].kind === kind && presets[name].baseUrl === baseUrl) ??
  presetNames.find((name) => presets[name].kind === kind && kind !== "openai") ??
  "other";

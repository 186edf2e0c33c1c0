import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { type FoldedValue, foldValue, type VariableValue } from "#shared/variables/variableTypes.ts";

export type DeclaredVariable = Launch["variables"]["declared"][number];

/** The variables of a course as the events of a session change them after its launch. */
export function createSessionVariables(declared: DeclaredVariable[]) {
  const folded = new Map<string, FoldedValue>();
  return {
    apply({ type, key = "", value = "", seq, t }: SessionEvent) {
      const parsed = type === "variable.set" ? parse(value) : undefined;
      if (parsed === undefined) return;
      const variable = declared.find((one) => one.key === key);
      const launched = variable && variable.value !== null ? { id: 0, at: 0, value: variable.value } : null;
      const mode = variable?.writeMode ?? "last";
      const before = folded.get(key) ?? (launched && foldValue(mode, null, launched));
      folded.set(key, foldValue(mode, before, { id: seq, at: t, value: parsed }));
    },
    valueOf: (key: string): VariableValue =>
      folded.get(key)?.current ?? declared.find((one) => one.key === key)?.value ?? null,
    /** With keys that were set without a declaration. */
    current(): DeclaredVariable[] {
      const declaredNow = declared.map((variable) => ({
        ...variable,
        value: folded.get(variable.key)?.current ?? variable.value,
      }));
      const added = [...folded.keys()].filter((key) => !declared.some((one) => one.key === key));
      return [
        ...declaredNow,
        ...added.map((key) => ({
          key,
          type: "json" as const,
          constraints: {},
          writeMode: "last" as const,
          access: "both" as const,
          status: "new" as const,
          value: folded.get(key)?.current ?? null,
        })),
      ];
    },
  };
}

/** Undefined if the text is not JSON: a browser can send anything. */
function parse(text: string): VariableValue | undefined {
  try {
    return JSON.parse(text) as VariableValue;
  } catch {
    return undefined;
  }
}

import type { Launch, SessionEvent } from "#shared/player/player.ts";
import { type FoldedValue, foldValue } from "#shared/variables/variableTypes.ts";

/**
 * The variables of the course as the events of this session change them, so that a reloaded shell continues with them.
 */
export function createSessionVariables({ variables: { declared } }: Launch) {
  const folded = new Map<string, FoldedValue>();
  return {
    apply({ type, key = "", value = "", seq, t }: SessionEvent) {
      if (type !== "variable.set") return;
      const variable = declared.find((one) => one.key === key);
      const launched = variable && variable.value !== null ? { id: 0, at: 0, value: variable.value } : null;
      const mode = variable?.writeMode ?? "last";
      const before = folded.get(key) ?? (launched && foldValue(mode, null, launched));
      folded.set(key, foldValue(mode, before, { id: seq, at: t, value: JSON.parse(value) }));
    },
    /** The variables for the shell, including keys that were set without a declaration. */
    current(): Launch["variables"]["declared"] {
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

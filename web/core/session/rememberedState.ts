import { localStorageColorSchemeManager, type MantineColorSchemeManager } from "@mantine/core";
import { useCallback, useState } from "react";
import { mayRemember } from "#web/core/session/consent.ts";
import { readJson, storage } from "#web/core/session/storage.ts";

/** State that a browser remembers as a display choice, as long as its person did not refuse that. */
export function useRemembered<T>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => (readJson(key) as T | null) ?? initial);
  const set = useCallback(
    (next: T) => {
      setValue(next);
      if (mayRemember()) storage.set(key, JSON.stringify(next));
    },
    [key],
  );
  return [value, set] as const;
}

const manager = localStorageColorSchemeManager();
/** Light and dark, under the same rule. */
export const schemeManager: MantineColorSchemeManager = {
  ...manager,
  set: (value) => {
    if (mayRemember()) manager.set(value);
  },
};

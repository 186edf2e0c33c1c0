import { localStorageColorSchemeManager, type MantineColorSchemeManager } from "@mantine/core";
import { useCallback, useState } from "react";
import { canPersist } from "#web/core/session/consentDecision.ts";
import { readJson, storage } from "#web/core/storage/storage.ts";

/** State that is stored in the browser as a display setting, unless the user has rejected that. */
export function usePersistedState<T>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => (readJson(key) as T | null) ?? initial);
  const set = useCallback(
    (next: T) => {
      setValue(next);
      if (canPersist()) storage.set(key, JSON.stringify(next));
    },
    [key],
  );
  return [value, set] as const;
}

const manager = localStorageColorSchemeManager();
/** Stores the colour scheme under the same condition. */
export const schemeManager: MantineColorSchemeManager = {
  ...manager,
  set: (value) => {
    if (canPersist()) manager.set(value);
  },
};

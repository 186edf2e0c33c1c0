import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";

export const schemes: MantineColorScheme[] = ["auto", "light", "dark"];

/** The colour scheme. Mantine stores it per browser, and /start.js reads it before the first paint. */
export function useScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [colorScheme, setColorScheme] as const;
}

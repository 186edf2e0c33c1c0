import { MantineProvider, mergeThemeOverrides } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { academy } from "#web/core/brand/academy.ts";
import { keptBrand } from "#web/core/brand/brand.ts";
import { schemeManager } from "#web/core/session/rememberedState.ts";
import { useUser } from "#web/core/session/session.tsx";
import { brandTheme, cssVariables, theme } from "#web/theme.ts";
import { readsAsError } from "#shared/branding.ts";
import { isLearner } from "#shared/users.ts";

/** Mantine with the theme of the person: learners see the colour of their company, everybody else that of the academy. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const kept = keptBrand.use();
  const house = academy.use()?.color;
  const own = isLearner(user) && kept?.companyId === user.companyId ? kept.brand?.color : null;
  const color = own && !readsAsError(own) ? own : house;
  const merged = useMemo(() => mergeThemeOverrides(theme, brandTheme(color)), [color]);
  return (
    <MantineProvider
      theme={merged}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  );
}

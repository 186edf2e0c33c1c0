import { MantineProvider, mergeThemeOverrides } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { academy } from "#web/core/academy/academy.ts";
import { cachedBrand } from "#web/core/academy/cachedBrand.ts";
import { schemeManager } from "#web/core/session/persistedState.ts";
import { useUser } from "#web/core/session/session.tsx";
import { brandTheme, cssVariables, theme } from "#web/core/brand/theme.ts";
import { isLearner } from "#shared/core/users.ts";

/** Mantine with the theme of the user: learners see the colour of their company, everyone else that of the academy. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const cached = cachedBrand.use();
  const academyColor = academy.use()?.color;
  const companyColor = isLearner(user) && cached?.companyId === user.companyId ? cached.brand?.color : null;
  const color = companyColor ?? academyColor;
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

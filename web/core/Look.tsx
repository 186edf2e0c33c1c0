import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { keptBrand } from '#web/core/brand.ts'
import { useUser } from '#web/core/session.tsx'
import { brandTheme, cssVariables, theme } from '#web/theme.ts'
import { isLearner } from '#shared/users.ts'

/** Mantine with the theme of the person: learners see the colour of their company. */
export function Look({ children }: { children: ReactNode }) {
  const user = useUser()
  const kept = keptBrand.use()
  const color = isLearner(user) && kept?.companyId === user.companyId ? kept.brand?.color : null
  const merged = useMemo(() => mergeThemeOverrides(theme, brandTheme(color)), [color])
  return (
    <MantineProvider theme={merged} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}

import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { ask } from '#web/core/api.ts'
import { useUser } from '#web/core/session.tsx'
import { brandTheme, cssVariables, theme } from '#web/theme.ts'
import type { Brand } from '#shared/branding.ts'
import { companies } from '#shared/companies.ts'
import { isLearner } from '#shared/users.ts'

const KEY = 'brand'

/** Mantine with the theme of the signed-in person: learners see the colour of their company. */
export function BrandProvider({ children }: { children: ReactNode }) {
  const brand = useBrand()
  const merged = useMemo(() => mergeThemeOverrides(theme, brandTheme(brand?.color)), [brand?.color])
  return (
    <MantineProvider theme={merged} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}

/** Name, colour and logo of the own company; null for admins and signed-out people. */
export function useBrand(): Brand | null {
  const user = useUser()
  const learner = isLearner(user)
  const { data } = useQuery({ ...ask(companies.brand), enabled: learner, staleTime: 300_000 })

  useEffect(() => {
    if (!learner) localStorage.removeItem(KEY)
    else if (data !== undefined) localStorage.setItem(KEY, JSON.stringify({ for: user.companyId, brand: data }))
  }, [learner, data, user])

  return useMemo(() => (learner ? (data ?? kept(user.companyId)) : null), [learner, data, user])
}

/** The brand of the last visit, so that the first paint already has the right colour. */
function kept(companyId: string | null): Brand | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { for: string; brand: Brand | null } | null
    return stored?.for === companyId ? stored.brand : null
  } catch {
    return null
  }
}

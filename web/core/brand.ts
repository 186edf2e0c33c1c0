import { demand } from '#web/core/demand.ts'
import type { Brand } from '#shared/branding.ts'

const KEY = 'brand'

type Kept = { companyId: string | null; brand: Brand | null }

/** The brand of the last visit, so that the first paint already has the right colour. */
export const keptBrand = demand<Kept | null>(read())

export function keepBrand(kept: Kept | null) {
  if (kept) localStorage.setItem(KEY, JSON.stringify(kept))
  else localStorage.removeItem(KEY)
  keptBrand.set(kept)
}

function read(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

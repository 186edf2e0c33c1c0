import { createStore } from "#web/core/store.ts";
import { readJson, storage } from "#web/core/storage/storage.ts";
import type { Brand } from "#shared/settings/branding.ts";

const KEY = "brand";

type CachedBrand = { companyId: string | null; brand: Brand | null };

/** The brand of the last visit, so that the first paint has the right colour. */
export const cachedBrand = createStore<CachedBrand | null>(readCachedBrand());

export function cacheBrand(brand: CachedBrand | null) {
  if (brand) storage.set(KEY, JSON.stringify(brand));
  else storage.remove(KEY);
  cachedBrand.set(brand);
}

function readCachedBrand(): CachedBrand | null {
  return readJson(KEY) as CachedBrand | null;
}

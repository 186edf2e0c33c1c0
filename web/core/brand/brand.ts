import { createStore } from "#web/core/store.ts";
import { readJson, storage } from "#web/core/session/storage.ts";
import type { Brand } from "#shared/branding.ts";

const KEY = "brand";

type Kept = { companyId: string | null; brand: Brand | null };

/** The brand of the last visit, so that the first paint already has the right colour. */
export const keptBrand = createStore<Kept | null>(read());

export function keepBrand(kept: Kept | null) {
  if (kept) storage.set(KEY, JSON.stringify(kept));
  else storage.remove(KEY);
  keptBrand.set(kept);
}

function read(): Kept | null {
  return readJson(KEY) as Kept | null;
}

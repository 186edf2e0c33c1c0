import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { cacheBrand, cachedBrand } from "#web/core/academy/cachedBrand.ts";
import { useUser } from "#web/core/session/session.tsx";
import type { Brand } from "#shared/settings/branding.ts";
import { companies } from "#shared/companies/companies.ts";
import { isLearner } from "#shared/core/users.ts";

/** Loads and caches the brand of a learner's company. Used once, in PageProviders. */
export function useBrandQuery() {
  const user = useUser();
  const learner = isLearner(user);
  const { data } = useQuery({ ...queryFor(companies.brand), enabled: learner, staleTime: 300_000 });
  useEffect(() => {
    if (learner && data !== undefined) cacheBrand({ companyId: user.companyId, brand: data });
  }, [learner, data, user]);
}

/** Name, colour and logo of the learner's company; null for others, and until it is loaded. */
export function useBrand(): Brand | null {
  const user = useUser();
  const cached = cachedBrand.use();
  return isLearner(user) && cached?.companyId === user.companyId ? cached.brand : null;
}

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { keepBrand, keptBrand } from "#web/core/brand/brand.ts";
import { useUser } from "#web/core/session/session.tsx";
import type { Brand } from "#shared/branding.ts";
import { companies } from "#shared/companies.ts";
import { isLearner } from "#shared/users.ts";

/** Asks for the brand of a learner's company and keeps it; stands once, in Data. */
export function useBrandQuery() {
  const user = useUser();
  const learner = isLearner(user);
  const { data } = useQuery({ ...queryFor(companies.brand), enabled: learner, staleTime: 300_000 });
  useEffect(() => {
    if (learner && data !== undefined) keepBrand({ companyId: user.companyId, brand: data });
  }, [learner, data, user]);
}

/** Name, colour and logo of the own company; null for admins, for signed-out people and until it is known. */
export function useBrand(): Brand | null {
  const user = useUser();
  const kept = keptBrand.use();
  return isLearner(user) && kept?.companyId === user.companyId ? kept.brand : null;
}

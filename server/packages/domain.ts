import { defineDomain } from "#server/core/domains/domain.ts";

export const packages = defineDomain({ name: "packages" });

import { defineDomain } from "#server/core/domains/domain.ts";

export const demo = defineDomain({ name: "demo" });

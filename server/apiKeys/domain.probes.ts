import { apiKeys } from "#shared/apiKeys/apiKeys.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as }, admin, company, tag }) {
    const body = { name: `Key ${tag}`, scopes: ["values:read" as const], companyId: company.id };
    const { id } = bodyOf(await as(admin)(apiKeys.create, { body }));
    return {
      marks: [id, body.name],
      writes: { "apiKeys.create": { body: { ...body, name: "Taken" } }, "apiKeys.revoke": { id, body: {} } },
    };
  },
};

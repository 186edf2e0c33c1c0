import { webhooks } from "#shared/webhooks/webhooks.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as }, admin, company, tag }) {
    const body = { name: `Webhook ${tag}`, url: "https://example.com/", companyId: company.id };
    const { id } = bodyOf(await as(admin)(webhooks.create, { body }));
    return {
      marks: [id, body.name],
      writes: {
        "webhooks.create": { body: { ...body, name: "Taken" } },
        "webhooks.update": { id, body: { version: 1, name: "Taken over" } },
        "webhooks.rotateSecret": { id, body: {} },
        "webhooks.test": { id, body: {} },
        "webhooks.remove": { id },
        "webhooks.retry": { id, body: {} },
      },
    };
  },
};

import { prompts } from "#shared/prompts/prompts.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["prompts.*", "buttonPrompts.*"],
  async fill({ server: { as }, admin, tag }) {
    bodyOf(await as(admin)(prompts.create, { body: { key: `p-${tag}`, name: "P", purpose: "button", body: "P" } }));
    return {};
  },
};

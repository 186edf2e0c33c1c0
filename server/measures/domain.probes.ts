import { CAREFUL, DEFAULT_CHOICES, measures } from "#shared/measures/measures.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["measures.markSeen"],
  async fill({ server: { as }, admin, company, tag }) {
    const body = { choices: { ...DEFAULT_CHOICES, smallestGroup: 11 }, reason: `Agreed ${tag}`, version: 0 };
    const chosen = bodyOf(await as(admin)(measures.update, { params: { id: company.id }, body }));
    return {
      marks: [chosen.reason],
      writes: { "measures.update": { id: company.id, body: { ...body, choices: CAREFUL, version: 1 } } },
    };
  },
};

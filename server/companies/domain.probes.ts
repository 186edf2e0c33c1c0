import { sql } from "kysely";
import { companies } from "#shared/companies/companies.ts";
import type { Probes } from "#test/probes.ts";

const PNG = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a", "hex").toString("base64")}`;

export const probes: Probes = {
  companyRows: { companies: (companyId) => sql`t.id = ${companyId}` },
  withoutCompany: ["companies.create"],
  fill: async ({ company: { id, version } }) => ({
    writes: {
      "companies.update": { id, body: { name: "Taken over", version } },
      "companies.rotateCode": { id, body: { graceDays: 0, version } },
      "companies.setStatus": { id, body: { status: "suspended", version } },
      "companies.setLogo": { id, body: { dataUrl: PNG, version } },
      "companies.removeLogo": { id: `${id}?version=${version}` },
      "companies.removeCourse": { id },
    },
  }),
  boundedPages: [companies.choices.path],
};

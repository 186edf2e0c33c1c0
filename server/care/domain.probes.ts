import { sql } from "kysely";
import { care } from "#shared/care/care.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as }, admin, company, tag }) {
    const body = {
      purpose: `Help ${tag}`,
      hours: "Weekdays",
      personIds: [admin.user.id],
      connectorId: null,
      model: "",
      version: 0,
    };
    const set = bodyOf(await as(admin)(care.set, { params: { id: company.id }, body }));
    return {
      marks: [set.purpose],
      writes: {
        "care.set": { id: company.id, body: { ...body, purpose: "Taken over", version: set.version } },
        "care.remove": { id: company.id },
      },
    };
  },
  companyRows: {
    care_people: (companyId) =>
      sql<boolean>`t.settings_id in (select id from care_settings where company_id = ${companyId})`,
  },
};

import { sql } from "kysely";
import { groups } from "#shared/groups/groups.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

/** The rows of a table with `group_id` that belong to groups of a company. */
const ofGroup = (companyId: string) => sql<boolean>`t.group_id in (
  select id
  from groups
  where company_id = ${companyId}
)`;

export const probes: Probes = {
  async fill({ server: { as }, admin, learner, company, tag }) {
    const rule = {
      match: "all" as const,
      tests: [{ kind: "status" as const, is: "is" as const, status: "active" as const }],
    };
    const body = { companyId: company.id, name: `Group ${tag}`, rule };
    const { id, version } = bodyOf(await as(admin)(groups.create, { body }));
    const place = { ids: [learner.user.id], place: "in" as const, note: `Note ${tag}` };
    bodyOf(await as(admin)(groups.place, { params: { id }, body: place }));
    return {
      marks: [id, body.name, place.note],
      writes: {
        "groups.create": { body: { ...body, name: "Taken" } },
        "groups.preview": { body: { companyId: company.id, id, rule } },
        "groups.update": { id, body: { name: "Taken over", version } },
        "groups.place": { id, body: place },
        "groups.remove": { id },
      },
    };
  },
  companyRows: { group_overrides: ofGroup, group_provided_members: ofGroup },
};

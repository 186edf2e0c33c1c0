import { sql } from "kysely";
import { fields } from "#shared/fields/fields.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { as }, admin, learner, company, tag }) {
    const body = {
      companyId: company.id,
      key: `field_${tag}`,
      name: `Field ${tag}`,
      kind: "text" as const,
      visibleTo: "learner" as const,
    };
    const { id, version } = bodyOf(await as(admin)(fields.create, { body }));
    const person = bodyOf(await as(admin)(learners.get, { params: { id: learner.user.id } }));
    const change = { fields: { [id]: `Value ${tag}` }, version: person.version };
    bodyOf(await as(admin)(learners.update, { params: { id: person.id }, body: change }));
    return {
      marks: [id, body.name, `Value ${tag}`],
      writes: {
        "fields.create": { body: { ...body, key: "taken", name: "Taken" } },
        "fields.update": { id, body: { name: "Taken over", version } },
        "fields.archive": { id, body: {} },
        "fields.restore": { id, body: {} },
        "fields.remove": { id },
      },
    };
  },
  companyRows: {
    field_values: (companyId) => sql`t.user_id in (
      select id
      from users
      where company_id = ${companyId}
    )`,
  },
};

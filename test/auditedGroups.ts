import { fields } from "#shared/fields/fields.ts";
import { groups } from "#shared/groups/groups.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on fields and groups that the audit log records. */
export async function changeGroups({ as, make }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const company = await make.company(admin);
  const { user } = await make.learner(company.accessCode);
  const boss = as(admin);
  const ofCompany = { companyId: company.id, name: "a secret name" };
  const { body: field } = await boss(fields.create, { body: { ...ofCompany, key: "secret", kind: "text" } });
  await boss(fields.update, { params: { id: field.id }, body: { visibleTo: "learner", version: field.version } });
  for (const change of [fields.archive, fields.restore, fields.remove])
    await boss(change, { params: { id: field.id } });
  const { body: group } = await boss(groups.create, { body: { ...ofCompany, description: "a secret text" } });
  const params = { id: group.id };
  await boss(groups.update, { params, body: { name: "another secret name", version: group.version } });
  for (const place of ["in", "out", null] as const)
    await boss(groups.place, { params, body: { ids: [user.id], place, note: "a secret" } });
  await boss(groups.remove, { params });
}

import { runImports } from "#server/imports/worker.ts";
import { imports } from "#shared/imports/imports.ts";
import { createImporter } from "#test/importClient.ts";
import type { Person, start } from "#test/start.ts";

/** Every action on imports that the audit log records. */
export async function changePeople(server: Awaited<ReturnType<typeof start>>, admin: Person) {
  const { as, make, services } = server;
  const company = await make.company(admin);
  const { user } = await make.learner(company.accessCode);
  const { store } = createImporter(server, admin);
  const boss = as(admin);
  const path = await store(`Name,Email\nA secret name,${user.email}\nA secret person,new-${user.id}@example.com`);
  const { body } = await boss(imports.create, { body: { companyId: company.id, path, name: "a secret file.csv" } });
  const params = { id: body.id };
  await runImports(services);
  await boss(imports.apply, { params, body: { invites: true } });
  await runImports(services);
  await boss(imports.undo, { params });
  await runImports(services);
  await boss(imports.remove, { params });
}

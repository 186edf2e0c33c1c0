import { randomUUID } from "node:crypto";
import { runImports } from "#server/imports/worker.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { imports } from "#shared/imports/imports.ts";
import { multipart } from "#test/client.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { app, as, services }, admin, company, tag }) {
    const path = `imports/${randomUUID()}/people.csv`;
    const email = `imported-${tag}@example.com`;
    // Without column names, so that it has a row 1.
    const text = `Imre ${tag},${email},N-${tag}\nImke ${tag},imke-${tag}@example,M-${tag}`;
    const sent = multipart({ metadata: { purpose: "import" } }, Buffer.from(text));
    await app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
      headers: { ...sent.headers, authorization: `Bearer ${admin.token}` },
      payload: sent.body,
    });
    const body = { companyId: company.id, path, name: `people-${tag}.csv` };
    const { id } = bodyOf(await as(admin)(imports.create, { body }));
    await runImports(services);
    const { id: second } = await services.db
      .insertInto("peopleImports")
      .values({ companyId: company.id, createdBy: admin.user.id, fileName: `ready-${tag}.csv`, state: "ready" })
      .returning("id")
      .executeTakeFirstOrThrow();
    return {
      marks: [id, second, email, `people-${tag}.csv`, `N-${tag}`],
      writes: {
        "imports.create": { body },
        "imports.map": { id, body: { mapping: ["name", "email", "externalId"], existing: "skip" } },
        "imports.correct": { id, body: { leftOut: true } },
        "imports.apply": { id, body: { invites: false, leavers: "keep" } },
        "imports.undo": { id },
        "imports.remove": { id: second },
      },
    };
  },
  boundedPages: [],
};

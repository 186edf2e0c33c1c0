import { sql } from "kysely";
import { judgeSuspension } from "#server/provisioning/scim/suspending.ts";
import { readScim } from "#server/provisioning/scim/context.ts";
import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

export const probes: Probes = {
  async fill({ server: { app, as, db, services }, admin, learner, company, tag }) {
    const params = { id: company.id };
    const key = bodyOf(await as(admin)(provisioning.createKey, { params, body: { name: `Directory ${tag}` } }));
    await app.inject({
      method: "PATCH",
      url: `${SCIM_PATH}/Users/${learner.user.id}`,
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/scim+json" },
      payload: {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp", USER],
        Operations: [{ op: "add", value: { title: `Title ${tag}`, externalId: `External ${tag}` } }],
      },
    });
    const { version } = bodyOf(await as(admin)(provisioning.get, { params }));
    bodyOf(await as(admin)(provisioning.update, { params, body: { invites: true, version } }));
    const scim = await readScim(services, {
      keyId: key.id,
      companyId: company.id,
      prefix: key.prefix,
      name: key.name,
    });
    await db.transaction().execute(async (tx) => {
      // Somebody has been suspended today, so the next person waits.
      await sql`
        update provisioned_people
        set suspended_at = now()
        where user_id = ${learner.user.id}`.execute(tx);
      await judgeSuspension(tx, scim, learner.user.id, "suspend");
    });
    return {
      marks: [key.id, key.name, key.prefix],
      writes: {
        "provisioning.update": { id: company.id, body: { invites: false, version: version + 1 } },
        "provisioning.createKey": { id: company.id, body: { name: "Taken" } },
        "provisioning.decide": { id: company.id, body: { decision: "refuse", count: 1 } },
      },
    };
  },
  boundedPages: [],
};

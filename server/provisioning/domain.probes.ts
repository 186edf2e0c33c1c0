import { provisioning, SCIM_PATH } from "#shared/provisioning/provisioning.ts";
import { PATCH } from "#shared/provisioning/schemas.ts";
import { bodyOf, type Probes } from "#test/probes.ts";

export const probes: Probes = {
  async fill({ server: { app, as, db }, admin, learner, company, tag }) {
    const params = { id: company.id };
    const key = bodyOf(await as(admin)(provisioning.createKey, { params, body: { name: `Directory ${tag}` } }));
    await app.inject({
      method: "PATCH",
      url: `${SCIM_PATH}/Users/${learner.user.id}`,
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/scim+json" },
      payload: {
        schemas: [PATCH],
        Operations: [{ op: "add", value: { title: `Title ${tag}`, externalId: `External ${tag}` } }],
      },
    });
    const { version } = bodyOf(await as(admin)(provisioning.get, { params }));
    bodyOf(await as(admin)(provisioning.update, { params, body: { invites: true, version } }));
    await db
      .insertInto("provisioningHolds")
      .values({ userId: learner.user.id, companyId: company.id, kind: "suspend", keyId: key.id })
      .execute();
    return {
      marks: [key.id, key.name, key.prefix],
      writes: {
        "provisioning.update": { id: company.id, body: { invites: false, version: version + 1 } },
        "provisioning.createKey": { id: company.id, body: { name: "Taken" } },
        "provisioning.revokeKey": { id: key.id },
        "provisioning.decide": { id: company.id, body: { decision: "refuse", count: 1 } },
      },
    };
  },
};

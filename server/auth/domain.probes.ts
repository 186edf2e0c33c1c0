import type { Probes } from "#test/probes.ts";

export const probes: Probes = {
  withoutCompany: ["auth.*", "accounts.*", "pins.*"],
  async fill({ server: { db }, admin, company, learner, tag }) {
    const provider = { kind: "oidc" as const, issuer: `https://${tag}.example`, clientId: `client-${tag}` };
    const connection = await db
      .insertInto("ssoConnections")
      .values({ ...provider, companyId: company.id, clientSecret: "none" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("ssoDomains")
      .values({ connectionId: connection.id, domain: `${tag}.example` })
      .execute();
    const settings = { clientSecret: "y", domains: [], enforced: false, enabled: true, version: 0 };
    return {
      marks: [connection.id, provider.issuer, provider.clientId],
      writes: {
        "accounts.resetFactors": { id: learner.user.id, body: {} },
        "admins.invite": { body: { email: `${tag}@example.com` } },
        "admins.resend": { id: admin.user.id },
        "admins.revoke": { id: admin.user.id },
        "admins.remove": { id: admin.user.id },
        "sso.save": { id: company.id, body: { ...provider, ...settings } },
        "sso.remove": { id: company.id },
      },
    };
  },
};

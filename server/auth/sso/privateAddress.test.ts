import { expect, test } from "vitest";
import { sso } from "#shared/auth/sso.ts";
import { start } from "#test/start.ts";

test.each([
  "https://10.0.0.1",
  "https://169.254.169.254/latest/meta-data",
  "https://[::ffff:127.0.0.1]",
  "https://localhost",
])("refuses the private address %s as a provider, and names the field", async (issuer) => {
  const { as, make } = await server;
  const admin = await make.admin();
  const company = await make.company(admin);
  const body = {
    kind: "oidc" as const,
    issuer,
    clientId: "x",
    clientSecret: "y",
    domains: ["example.com"],
    enforced: false,
    enabled: true,
    version: 0,
  };
  const reply = await as(admin)(sso.save, { params: { id: company.id }, body });
  expect(reply.status).toBe(422);
  expect((reply.body as unknown as { issues: unknown[] }).issues).toMatchObject([
    { path: "issuer", code: "sso.privateAddress" },
  ]);
});
const server = start({ PRIVATE_HOSTS: "" });

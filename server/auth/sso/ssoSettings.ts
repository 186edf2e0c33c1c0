import { X509Certificate } from "node:crypto";
import { record } from "#server/audit/service.ts";
import { returnUrl } from "#server/auth/sso/openid.ts";
import { acsUrl, entityId } from "#server/auth/sso/saml.ts";
import { endConnectionSessions, endNonSsoSessions } from "#server/auth/sso/ssoSessions.ts";
import { endSessions } from "#server/auth/service.ts";
import { validateSso } from "#server/auth/sso/ssoChecks.ts";
import { ssoProviderId } from "#server/auth/sso/ssoDomains.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { SsoConnection, SsoInput } from "#shared/auth/sso.ts";
import type { User } from "#shared/core/users.ts";

/** The connection of a company for admins; the client secret is never returned, only whether there is one. */
export async function readSso(ctx: Ctx<User>, companyId: string) {
  const { db, config } = ctx;
  await checkCompany(ctx, companyId);
  const addresses = { redirect: returnUrl(config), acs: acsUrl(config), entityId: entityId(config) };
  return { ...addresses, connection: await findConnection(db, companyId) };
}

/** 404 unless the company exists and is in the scope of the user. */
const checkCompany = ({ db, user }: Ctx<User>, companyId: string) =>
  db
    .selectFrom("companies")
    .where("id", "=", companyId)
    .where(inScope(user, { company: "companies.id" }))
    .select("id")
    .executeTakeFirstOrThrow(notFound);

async function findConnection(db: Db, companyId: string): Promise<SsoConnection | null> {
  const row = await db.selectFrom("ssoConnections").where("companyId", "=", companyId).selectAll().executeTakeFirst();
  if (!row) return null;
  const domains = await db
    .selectFrom("ssoDomains")
    .where("connectionId", "=", row.id)
    .select("domain")
    .orderBy("domain")
    .execute();
  const { kind, issuer, clientId, clientSecret, entryPoint, certificates, enforced, enabled, version, updatedAt } = row;
  return {
    kind,
    issuer,
    clientId,
    hasSecret: clientSecret !== null,
    entryPoint,
    certificate: certificates.join("\n"),
    certificateEnds: lastExpiry(certificates),
    enforced,
    enabled,
    version,
    updatedAt,
    domains: domains.map(({ domain }) => domain),
  };
}

const lastExpiry = (certificates: string[]) =>
  certificates
    .map((pem) => new X509Certificate(pem).validToDate.toISOString())
    .toSorted()
    .at(-1) ?? null;

/** Sets up or changes a connection. Version conflicts are 409, invalid fields 422. */
export async function saveSso(ctx: Ctx<User>, companyId: string, input: SsoInput): Promise<SsoConnection> {
  const { db, config, user } = ctx;
  await checkCompany(ctx, companyId);
  const before = await db
    .selectFrom("ssoConnections")
    .where("companyId", "=", companyId)
    .selectAll()
    .executeTakeFirst();
  if ((before?.version ?? 0) !== input.version)
    throw conflict("core.conflict", {
      current: await findConnection(db, companyId),
      changedBy: null,
      changedAt: before?.updatedAt ?? null,
    });
  const { domains, ...values } = await validateSso(
    ctx,
    companyId,
    input,
    isSameClient(before, input) ? (before?.clientSecret ?? null) : null,
  );
  const row = {
    ...values,
    kind: input.kind,
    enforced: input.enforced,
    enabled: input.enabled,
    updatedAt: new Date().toISOString(),
    updatedBy: user.id,
  };
  try {
    const { id, connection } = await inTransaction(db, async (tx) => {
      const saved = before
        ? await tx
            .updateTable("ssoConnections")
            .set((e) => ({ ...row, version: e("version", "+", 1) }))
            .where("id", "=", before.id)
            .where("version", "=", input.version)
            .returning("id")
            .executeTakeFirst()
        : await tx
            .insertInto("ssoConnections")
            .values({ ...row, companyId })
            .returning("id")
            .executeTakeFirst();
      if (!saved)
        throw conflict("core.conflict", {
          current: await findConnection(tx, companyId),
          changedBy: null,
          changedAt: null,
        });
      // Subjects belong to the old provider: people are matched by email again at their next login.
      if (before && before.issuer !== values.issuer)
        await tx.deleteFrom("authAccounts").where("providerId", "=", ssoProviderId(saved.id)).execute();
      if (before && (before.issuer !== values.issuer || !input.enabled)) await endConnectionSessions(tx, saved.id);
      await tx.deleteFrom("ssoDomains").where("connectionId", "=", saved.id).execute();
      await tx
        .insertInto("ssoDomains")
        .values(domains.map((domain) => ({ domain, connectionId: saved.id })))
        .execute();
      if (input.enabled && input.enforced) await endNonSsoSessions(tx, { id: saved.id, companyId });
      await record(tx, ctx, {
        action: "companies.sso",
        companyId,
        details: { kind: input.kind, enabled: input.enabled, enforced: input.enforced },
      });
      return { id: saved.id, connection: (await findConnection(tx, companyId)) as SsoConnection };
    });
    // Repeated after the commit, for concurrent sign-ins that did not see the change yet (sessions.ts).
    if (!input.enabled) await inTransaction(db, (tx) => endConnectionSessions(tx, id));
    else if (input.enforced) await inTransaction(db, (tx) => endNonSsoSessions(tx, { id, companyId }));
    return connection;
  } catch (error) {
    if (isUniqueViolation(error, "sso_domains_pkey")) throw badField("domains", "sso.domainTaken");
    if (isUniqueViolation(error))
      throw conflict("core.conflict", {
        current: await findConnection(db, companyId),
        changedBy: null,
        changedAt: null,
      });
    throw error;
  } finally {
    ctx.log.info({ companyId, kind: input.kind, by: user.id, server: config.publicUrl }, "single sign-on saved");
  }
}

/** The stored secret is reused for the same provider only: another one would receive it. */
const isSameClient = (before: { issuer: string; clientId: string } | undefined, { issuer, clientId }: SsoInput) =>
  before?.issuer === issuer && before.clientId === clientId;

/** Removes a connection and ends its sessions. People who used it set a password by email. */
export async function removeSso(ctx: Ctx<User>, companyId: string) {
  await checkCompany(ctx, companyId);
  await inTransaction(ctx.db, async (tx) => {
    const connection = await tx
      .selectFrom("ssoConnections")
      .where("companyId", "=", companyId)
      .select("id")
      .forUpdate()
      .executeTakeFirst();
    if (!connection) throw notFound();
    await endConnectionSessions(tx, connection.id);
    await tx.deleteFrom("ssoConnections").where("id", "=", connection.id).execute();
    const people = await tx
      .deleteFrom("authAccounts")
      .where("providerId", "=", ssoProviderId(connection.id))
      .returning("userId")
      .execute();
    await endSessions(
      tx,
      people.map(({ userId }) => userId),
    );
    await record(tx, ctx, { action: "companies.ssoRemoved", companyId });
  });
}

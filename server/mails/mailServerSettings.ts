import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { isPrivateAllowed } from "#server/core/outgoing/guardedFetch.ts";
import { checkHost } from "#server/core/outgoing/addressCheck.ts";
import { seal } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { boundTo, openPassword, PASSWORD_PURPOSE } from "#server/mails/mailServer.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { MailServerInput, mailServers, MailServerState } from "#shared/mails/mailServer.ts";

const findRow = (db: Db) => db.selectFrom("mailServer").selectAll().executeTakeFirst();

/** The mail server for admins. The password is never returned, only whether there is one. */
export async function readMailServer({ db, config }: Pick<Services, "db" | "config">): Promise<MailServerState> {
  const row = await findRow(db);
  const isSetByOperator = config.smtpUrl !== undefined || config.mailOff;
  return {
    operator: isSetByOperator ? { host: hostOf(config.smtpUrl), sender: config.mailFrom } : null,
    server: row ? { ...row, hasPassword: openPassword(config.secret, row) !== null } : null,
  };
}

/** Host and port of SMTP_URL, without its credentials; empty if the operator has switched emails off. */
const hostOf = (smtpUrl: string | undefined) => (smtpUrl === undefined ? "" : (URL.parse(smtpUrl)?.host ?? ""));

/** Sets up or changes the mail server, which every node uses for the next email. */
export async function saveMailServer(ctx: Ctx<User>, { version, ...input }: BodyOf<typeof mailServers.save>) {
  const { db, config, user } = ctx;
  refuseIfSetByOperator(ctx);
  await checkMailServer(ctx, input);
  return inTransaction(db, async (tx) => {
    await lockSettings(tx);
    const before = await findRow(tx);
    if ((before?.version ?? 0) !== version) {
      const author = before?.updatedBy
        ? await tx.selectFrom("users").where("id", "=", before.updatedBy).select("name").executeTakeFirst()
        : undefined;
      const { server: current } = await readMailServer({ db: tx, config });
      throw conflict("core.conflict", {
        current,
        changedBy: author?.name ?? null,
        changedAt: before?.updatedAt ?? null,
      });
    }
    const { password: _, ...values } = input;
    const password = passwordFor(config.secret, input, before);
    const row = {
      ...values,
      password: password === null ? null : seal(config.secret, PASSWORD_PURPOSE, password, boundTo(input)),
      updatedAt: new Date().toISOString(),
      updatedBy: user.id,
    };
    await tx
      .insertInto("mailServer")
      .values(row)
      .onConflict((clash) => clash.column("id").doUpdateSet({ ...row, version: version + 1 }))
      .execute();
    await record(tx, ctx, { action: "settings.mailServer" });
    return readMailServer({ db: tx, config });
  });
}

export async function removeMailServer(ctx: Ctx<User>) {
  refuseIfSetByOperator(ctx);
  await inTransaction(ctx.db, async (tx) => {
    await lockSettings(tx);
    const removed = await tx.deleteFrom("mailServer").returning("id").executeTakeFirst();
    if (!removed) throw notFound();
    await record(tx, ctx, { action: "settings.mailServerRemoved" });
  });
}

/** Makes concurrent changes wait for each other, even before there is a row to lock. */
const lockSettings = (tx: Tx) => tx.selectFrom("settings").select("id").forUpdate().execute();

function refuseIfSetByOperator({ config }: Pick<Services, "config">) {
  if (config.smtpUrl !== undefined || config.mailOff) throw conflict("mails.setByOperator");
}

/** 422 for a server that would be refused: a private address, or no encryption outside of PRIVATE_HOSTS. */
export async function checkMailServer({ config }: Pick<Services, "config">, input: MailServerInput) {
  if (input.security === "none" && !isPrivateAllowed(config.privateHosts, input.host, input.port))
    throw badField("security", "mails.needsEncryption");
  await checkHost(config, "host", input);
}

type StoredAccount = Parameters<typeof openPassword>[1];

/**
 * The password of these settings: the one in them, or the stored one if server and user name are unchanged. Any other
 * server must not receive the stored one.
 */
export function passwordFor(secret: string, input: MailServerInput, stored: StoredAccount | undefined) {
  if (!input.username) return null;
  if (input.password !== undefined) return input.password;
  const isSame = stored !== undefined && boundTo(stored) === boundTo(input);
  const password = isSame ? openPassword(secret, stored) : null;
  if (password === null) throw badField("password", "mails.passwordNeeded");
  return password;
}

/** The stored row, for a test of settings that are not saved. */
export const findStoredAccount = (db: Db) => findRow(db);

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { explain } from "#server/core/http/issues.ts";
import { readSettings } from "#server/core/postgres/postgresSettings.ts";
import { checkUnresolvedUrl } from "#server/core/outgoing/guardedFetch.ts";
import { defaultContentOrigin } from "#server/core/http/origins.ts";

const text = z.string().trim().min(1).optional();
const flag = z.stringbool().optional();
const UNITS = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };
/** A size such as `500MB` or `20 GB`, in bytes; a bare number is bytes. */
const size = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?\s*(KB|MB|GB|TB)?$/i, { error: "core.badSize" })
  .transform((value) =>
    Math.round(Number.parseFloat(value) * (UNITS[value.slice(-2).toUpperCase() as keyof typeof UNITS] ?? 1)),
  )
  .optional();

/** The value of SMTP_URL that switches emails off. */
const MAIL_OFF = "off";

/** Every environment variable of the product, as described in docs/operations.md; `.env.example` lists the same. */
export const variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text,
  CONTENT_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  CONTENT_ORIGIN: z.url().optional(),
  PUBLIC_URL: z.url().optional(),
  DATA_DIR: z.string().trim().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .trim()
    .regex(/^postgres(ql)?:\/\//, { error: "core.badDatabaseUrl" })
    .optional(),
  POSTGRES_SETTINGS: z
    .string()
    .transform((value, { addIssue }) => {
      const settings = readSettings(value);
      if (!settings) addIssue({ code: "custom", message: "core.badPostgresSettings" });
      return settings ?? {};
    })
    .optional(),
  STORAGE_URL: z
    .string()
    .trim()
    .regex(/^s3:\/\/[^/]/, { error: "core.badStorageUrl" })
    .optional(),
  STORAGE_QUOTA: size,
  COMPANY_STORAGE_QUOTA: size,
  TRUST_PROXY: z.string().trim().min(1).default("loopback"),
  SMTP_URL: text,
  CLAIM_CONFIRMATION: flag,
  PASSWORD_SIGN_UP: flag,
  REQUIRE_ADMIN_2FA: flag,
  PRIVATE_HOSTS: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_ISSUER: z.url().default("https://accounts.google.com"),
  MAIL_FROM: z.string().trim().min(3).default("no-reply@localhost"),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: text,
  DEMO: flag,
  DEMO_PASSWORD: text,
  PRIVACY_POLICY_URL: z.url({ protocol: /^https?$/ }).optional(),
  CONSENT_STRICT: flag,
  SECURITY_CONTACT: z
    .string()
    .trim()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, { error: "core.badSecurityContact" })
    .optional(),
  TIMESTAMP_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  NODE_ENV: text,
});

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and validates the environment. Paths are absolute, origins have no trailing slash, sizes are in bytes. `secret`
 * is stored in `DATA_DIR/secret` (mode 600) and created on the first start, unless `mustExist`. Throws one error that
 * names every invalid variable.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, { mustExist = false } = {}) {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(nonEmpty, { reportInput: true });
  if (!parsed.success) {
    const problems = explain(parsed.error).map(({ path, message }) => `${path}: ${message}`);
    throw new Error(`These environment variables cannot be used:\n  ${problems.join("\n  ")}`);
  }
  const v = parsed.data;
  const privateHosts = hostsIn(v.PRIVATE_HOSTS);
  const timestampUrl = v.TIMESTAMP_URL && readTimestampUrl(v.TIMESTAMP_URL, privateHosts);
  const dataDir = resolve(v.DATA_DIR);
  const contentPort = v.CONTENT_PORT ?? (v.PORT === 0 ? 0 : v.PORT + 1);
  const publicUrl = (v.PUBLIC_URL ?? `http://localhost:${v.PORT}`).replace(/\/+$/, "");
  const production = v.NODE_ENV === "production";
  return {
    port: v.PORT,
    host: v.HOST,
    contentPort,
    contentOrigin: (v.CONTENT_ORIGIN ?? defaultContentOrigin(publicUrl, contentPort)).replace(/\/+$/, ""),
    contentOriginGiven: v.CONTENT_ORIGIN !== undefined,
    publicUrl,
    publicUrlGiven: v.PUBLIC_URL !== undefined,
    dataDir,
    filesDir: join(dataDir, "files"),
    databaseUrl: v.DATABASE_URL,
    /** Settings of the embedded PostgreSQL that replace those for the size of the machine. */
    postgresSettings: v.POSTGRES_SETTINGS ?? {},
    storageUrl: v.STORAGE_URL,
    storageQuota: v.STORAGE_QUOTA ?? Number.POSITIVE_INFINITY,
    companyStorageQuota: v.COMPANY_STORAGE_QUOTA ?? Number.POSITIVE_INFINITY,
    smtpUrl: v.SMTP_URL === MAIL_OFF ? undefined : v.SMTP_URL,
    /** No email is sent, whatever mail server admins have set up: for a copy of the database. */
    mailOff: v.SMTP_URL === MAIL_OFF,
    mailFrom: v.MAIL_FROM,
    /** Claimed accounts must verify their email, if there is a mail server (`confirmsClaims`). */
    claimConfirmation: v.CLAIM_CONFIRMATION ?? true,
    passwordSignUp: v.PASSWORD_SIGN_UP ?? true,
    requireAdminFactor: v.REQUIRE_ADMIN_2FA ?? false,
    google:
      v.GOOGLE_CLIENT_ID && v.GOOGLE_CLIENT_SECRET
        ? { issuer: v.GOOGLE_ISSUER, clientId: v.GOOGLE_CLIENT_ID, clientSecret: v.GOOGLE_CLIENT_SECRET }
        : null,
    /** Hosts, as `host` or `host:port`, that the server may call although their address is private. */
    privateHosts,
    adminEmail: v.ADMIN_EMAIL?.toLowerCase(),
    adminPassword: v.ADMIN_PASSWORD,
    demo: v.DEMO ?? (!v.DATABASE_URL && !production),
    demoPassword: v.DEMO_PASSWORD,
    privacyPolicyUrl: v.PRIVACY_POLICY_URL,
    /** Where to report vulnerabilities, as in security.txt. */
    securityContact: v.SECURITY_CONTACT,
    /** A time-stamping authority (RFC 3161) for the signed roots of certificates. */
    timestampUrl,
    consentStrict: v.CONSENT_STRICT ?? false,
    logLevel: v.LOG_LEVEL,
    trustProxy: v.TRUST_PROXY.split(",").map((address) => address.trim()),
    production,
    secret: readOrCreateSecret(dataDir, mustExist),
  };
}

const hostsIn = (list = "") =>
  list
    .toLowerCase()
    .split(",")
    .map((host) => host.trim())
    .filter(Boolean);

function readTimestampUrl(url: string, privateHosts: string[]) {
  try {
    checkUnresolvedUrl(privateHosts, new URL(url));
    return url;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `These environment variables cannot be used:\n  TIMESTAMP_URL: ${reason}. ` +
        "Use an HTTPS address, or name its host in PRIVATE_HOSTS.",
      { cause: error },
    );
  }
}

function readOrCreateSecret(dataDir: string, mustExist: boolean) {
  const file = join(dataDir, "secret");
  if (mustExist && !existsSync(file)) throw new Error(`DATA_DIR (${dataDir}) has no secret: no server has used it.`);
  try {
    mkdirSync(dataDir, { recursive: true });
    if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
    chmodSync(file, 0o600);
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`DATA_DIR (${dataDir}) cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

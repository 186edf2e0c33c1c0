import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { endSessions } from "#server/auth/service.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { type Listing, orderBy, searchFor } from "#server/core/listing.ts";
import { badField, conflict, notFound } from "#server/core/problem.ts";
import type { AuditAction, AuditDetails } from "#shared/audit.ts";
import {
  CODE_ALPHABET,
  CODE_LENGTH,
  type Company,
  type CompanyInput,
  LOGO_BYTES,
  normaliseCode,
} from "#shared/companies.ts";
import type { User } from "#shared/users.ts";

type Status = Company["status"];

/** A new access code: eight characters of the alphabet without look-alikes, from the system's randomness. */
export const createAccessCode = () =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");

const logoUrl = sql<string | null>`case when companies.logo is null then null
  else '/api/companies/' || companies.id || '/logo?v=' || companies.version end`;
const columns = [
  "id",
  "name",
  "slug",
  "status",
  "accessCode",
  "previousCode",
  "previousCodeUntil",
  "codeEnabled",
  "codeExpiresAt",
  "codeMaxUses",
  "codeUsedCount",
  "allowedDomains",
  "timezone",
  "contactName",
  "contactEmail",
  "learnerLimit",
  "notes",
  "color",
  "welcome",
  "erasurePolicy",
  "retentionYears",
  "version",
  "createdAt",
  "updatedAt",
] as const;

const selectCompanies = (db: Db) =>
  db
    .selectFrom("companies")
    .select(columns.map((column) => `companies.${column}` as const))
    .select(logoUrl.as("logo"));

/** Companies with the figures of their learners and enrolments, each counted once for all companies. */
const selectCompaniesWithStats = (db: Db) => {
  const people = db
    .selectFrom("users")
    .where("role", "=", "learner")
    .groupBy("companyId")
    .select([
      "companyId",
      sql<number>`count(*) filter (where status <> 'suspended')::int`.as("learners"),
      sql<number>`count(*) filter (where status = 'invited')::int`.as("invited"),
    ]);
  const work = db
    .selectFrom("enrolments")
    .innerJoin("companies as c", "c.id", "enrolments.companyId")
    .where("enrolments.status", "!=", "withdrawn")
    .groupBy("enrolments.companyId")
    .select([
      "enrolments.companyId",
      sql<number>`count(distinct course_id)::int`.as("courses"),
      sql<number>`count(*)::int`.as("assigned"),
      sql<number>`count(*) filter (where enrolments.status = 'completed')::int`.as("completed"),
      sql<number>`count(*) filter (where is_overdue(due_date, c.timezone, enrolments.status))::int`.as("overdue"),
      sql<number>`coalesce(sum(active_seconds), 0)::int`.as("activeSeconds"),
      sql<string | null>`max(last_activity_at)`.as("lastActivity"),
    ]);
  return selectCompanies(db)
    .leftJoin(people.as("p"), "p.companyId", "companies.id")
    .leftJoin(work.as("w"), "w.companyId", "companies.id")
    .select(({ fn, val }) => [
      fn.coalesce("p.learners", val(0)).as("learners"),
      fn.coalesce("p.invited", val(0)).as("invited"),
      fn.coalesce("w.courses", val(0)).as("courses"),
      fn.coalesce("w.assigned", val(0)).as("assigned"),
      fn.coalesce("w.completed", val(0)).as("completed"),
      fn.coalesce("w.overdue", val(0)).as("overdue"),
      fn.coalesce("w.activeSeconds", val(0)).as("activeSeconds"),
    ])
    .select("w.lastActivity");
};

export async function listCompanies({ db }: Ctx<User>, query: Listing & { status?: Status; courseId?: string }) {
  const filter = <T extends ReturnType<typeof selectCompaniesWithStats>>(rows: T) => {
    let found = query.status
      ? rows.where("companies.status", "=", query.status)
      : rows.where("companies.status", "!=", "archived");
    if (query.courseId)
      found = found.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("enrolments")
            .select("id")
            .whereRef("enrolments.companyId", "=", "companies.id")
            .where("courseId", "=", query.courseId as string)
            .where("enrolments.status", "!=", "withdrawn"),
        ),
      );
    if (query.q)
      found = found.where(({ or }) =>
        or([
          searchFor(query.q as string, ["companies.name"]),
          sql<boolean>`companies.access_code = ${normaliseCode(query.q as string)}`,
          searchFor(normaliseCode(query.q as string), ["companies.accessCode"]),
        ]),
      );
    return found;
  };
  const { total } = await db
    .selectFrom(filter(selectCompaniesWithStats(db)).as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await filter(selectCompaniesWithStats(db))
    .orderBy(
      orderBy(query.sort ?? "name", {
        name: sql`lower(companies.name)`,
        learners: sql`coalesce(p.learners, 0)`,
        overdue: sql`coalesce(w.overdue, 0)`,
        completed: sql`w.completed::real / nullif(w.assigned, 0)`,
        lastActivity: sql`w.last_activity`,
      }),
    )
    .orderBy("companies.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

export const getCompany = ({ db }: Ctx<User>, id: string) =>
  selectCompaniesWithStats(db).where("companies.id", "=", id).executeTakeFirstOrThrow(notFound);
const readCompany = (db: Db, id: string) =>
  selectCompanies(db).where("companies.id", "=", id).executeTakeFirstOrThrow(notFound);

/** Adds a company. Slug and access code are made here; a collision is tried again with another one. */
export async function createCompany(ctx: Ctx<User>, input: CompanyInput): Promise<Company> {
  const base = slugOf(input.name);
  for (let attempt = 0; ; attempt++) {
    const slug = attempt === 0 ? base : `${base}-${createAccessCode().slice(0, 4).toLowerCase()}`;
    try {
      return await inTransaction(ctx.db, async (tx) => {
        const { id } = await tx
          .insertInto("companies")
          .values({ ...input, slug, accessCode: createAccessCode(), updatedBy: ctx.user.id })
          .returning("id")
          .executeTakeFirstOrThrow();
        await record(tx, ctx, { action: "companies.create", companyId: id });
        return readCompany(tx, id);
      });
    } catch (error) {
      if (attempt > 8 || !isUniqueViolation(error)) throw error;
    }
  }
}

const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "company";

/**
 * Writes `values` if the row is still at `version`; otherwise 409 with the row as it is now and who changed it, so that
 * nobody overwrites a colleague in silence.
 */
async function updateVersioned(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Record<string, unknown>,
  action: AuditAction,
  details: AuditDetails = {},
): Promise<Company> {
  return inTransaction(ctx.db, (tx) => writeVersioned({ ...ctx, db: tx }, id, version, values, action, details));
}

async function writeVersioned(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Record<string, unknown>,
  action: AuditAction,
  details: AuditDetails,
) {
  const { db, user } = ctx;
  const done = await db
    .updateTable("companies")
    .set((e) => ({ ...values, version: e("version", "+", 1), updatedAt: new Date().toISOString(), updatedBy: user.id }))
    .where("id", "=", id)
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  if (done) {
    await record(db, ctx, { action, companyId: id, details });
    return readCompany(db, id);
  }
  const current = await readCompany(db, id);
  const by = await db
    .selectFrom("users")
    .innerJoin("companies", "companies.updatedBy", "users.id")
    .where("companies.id", "=", id)
    .select("users.name")
    .executeTakeFirst();
  throw conflict("core.conflict", { current, changedBy: by?.name ?? null, changedAt: current.updatedAt });
}

export const updateCompany = (
  ctx: Ctx<User>,
  id: string,
  { version, ...input }: Partial<CompanyInput> & { version: number },
) => updateVersioned(ctx, id, version, input, "companies.update", { fields: Object.keys(input) });

/** A new code; the old one opens the door for `graceDays` more, so that printed posters do not fail at once. */
export async function rotateCode(
  ctx: Ctx<User>,
  id: string,
  { graceDays, version }: { graceDays: number; version: number },
) {
  const { accessCode } = await readCompany(ctx.db, id);
  const until = graceDays > 0 ? new Date(Date.now() + graceDays * 86_400_000).toISOString() : null;
  return updateVersioned(
    ctx,
    id,
    version,
    {
      accessCode: createAccessCode(),
      previousCode: until ? accessCode : null,
      previousCodeUntil: until,
      codeUsedCount: 0,
    },
    "companies.code",
    { graceDays },
  );
}

/** active ⇄ suspended, both → archived → active (research/learning 4.1). */
export async function setCompanyStatus(
  ctx: Ctx<User>,
  id: string,
  { status, version }: { status: Status; version: number },
) {
  const company = await readCompany(ctx.db, id);
  if (company.status === "archived" && status === "suspended") throw conflict("companies.archiveFirst");
  return inTransaction(ctx.db, async (tx) => {
    const changed = await updateVersioned({ ...ctx, db: tx }, id, version, { status }, "companies.status", {
      from: company.status,
      to: status,
    });
    if (status !== "active")
      await endSessions(
        tx,
        (await tx.selectFrom("users").where("companyId", "=", id).select("id").execute()).map((user) => user.id),
      );
    return changed;
  });
}

const signatures = [
  { type: "image/png", starts: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: "image/jpeg", starts: Buffer.from([0xff, 0xd8, 0xff]) },
  { type: "image/webp", starts: Buffer.from("RIFF") },
];

/** Keeps a picture after looking at its bytes; the type that the browser claims does not count, SVG is not accepted. */
export async function setLogo(ctx: Ctx<User>, id: string, { dataUrl, version }: { dataUrl: string; version: number }) {
  const base64 = /^data:[\w/+.-]*;base64,([A-Za-z0-9+/=]+)$/.exec(dataUrl)?.[1] ?? "";
  const bytes = Buffer.from(base64, "base64");
  const kind = signatures.find(
    ({ starts, type }) =>
      bytes.subarray(0, starts.length).equals(starts) &&
      (type !== "image/webp" || bytes.toString("latin1", 8, 12) === "WEBP"),
  );
  if (!kind || bytes.length > LOGO_BYTES) throw badField("logo", "companies.badLogo", { kb: LOGO_BYTES / 1024 });
  return updateVersioned(ctx, id, version, { logo: bytes, logoType: kind.type }, "companies.logo", { removed: false });
}

export const removeLogo = (ctx: Ctx<User>, id: string, version: number) =>
  updateVersioned(ctx, id, version, { logo: null, logoType: null }, "companies.logo", { removed: true });

/** The picture itself. Logos are public: they stand on registration pages and in mails. */
export const readLogo = async (db: Db, id: string) => {
  const row = await db.selectFrom("companies").where("id", "=", id).select(["logo", "logoType"]).executeTakeFirst();
  if (!row?.logo || !row.logoType) throw notFound();
  return { bytes: row.logo, type: row.logoType };
};

/** What paints the pages of the person who asks; null for admins, who see Lyceum's own colours. */
export async function getOwnBrand({ db, user }: Ctx<User>) {
  if (!user.companyId) return null;
  const { name, color, logo } = await readCompany(db, user.companyId);
  return { name, color, logo };
}

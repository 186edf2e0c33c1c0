import { createHash } from "node:crypto";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { lacksCertificate } from "#server/certificates/issuing/courseCertificates.ts";
import { lacksPathCertificate } from "#server/certificates/issuing/pathCertificates.ts";
import { issueMissing, issueMissingOfPath } from "#server/certificates/jobs.ts";
import { auditedAs, columnOf, idsOf, readTitle, type Subject } from "#server/certificates/subjects.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { imageSize } from "#server/settings/imageSize.ts";
import { bytesOf, imageTypeOf } from "#server/settings/images.ts";
import type { certificates, Design } from "#shared/certificates/certificates.ts";
import { type DesignContent, PICTURE_BYTES, PICTURE_PIXELS } from "#shared/certificates/designs.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const TYPES = ["image/png", "image/jpeg"];
export const picturesOf = ({ logo, signers }: DesignContent) =>
  [logo, ...signers.map(({ picture }) => picture)].filter((hash) => hash !== null && hash !== "company");

/** SQL: completions of a course or path without a certificate, of people who are still there. */
const countMissing = (user: User, { kind, id }: Subject) =>
  kind === "course"
    ? sql<number>`(
        select count(*)::int
        from completion_history
        join users on users.id = completion_history.person_id
        where completion_history.course_id = ${id}
          and ${inScope(user, { company: "completionHistory.companyId" })}
          and ${lacksCertificate}
      )`
    : sql<number>`(
        select count(*)::int
        from path_enrolments
        where path_enrolments.path_id = ${id}
          and ${inScope(user, { company: "pathEnrolments.companyId" })}
          and ${lacksPathCertificate}
      )`;

/** The certificate of a course or path; what is counted is in the scope of the user. */
export async function getDesign({ db, user }: Ctx<User>, subject: Subject): Promise<Design | null> {
  await readTitle(db, subject);
  const column = columnOf(subject);
  const row = await db
    .selectFrom("certificateDesigns as designs")
    .innerJoin("certificateDesignVersions as versions", (join) =>
      join.onRef(`versions.${column}`, "=", `designs.${column}`).onRef("versions.number", "=", "designs.number"),
    )
    .where(`designs.${column}`, "=", subject.id)
    .select(["designs.enabled", "designs.number", "designs.version", "designs.updatedAt", "versions.content"])
    .select((e) =>
      e
        .selectFrom("certificates")
        .where(`certificates.${column}`, "=", subject.id)
        .where(inScope(user, { company: "certificates.companyId" }))
        .select(sql<number>`count(*)::int`.as("n"))
        .as("issued"),
    )
    .select(countMissing(user, subject).as("missing"))
    .executeTakeFirst();
  return row ? { ...row, issued: row.issued ?? 0 } : null;
}

/** Stores a design; if its content has changed, as a new version, which counts for certificates from now on. */
export async function saveDesign(
  ctx: Ctx<User>,
  subject: Subject,
  { enabled, content, version }: BodyOf<typeof certificates.saveDesign>,
): Promise<Design> {
  await inTransaction(ctx.db, async (tx) => {
    await readTitle(tx, subject, { isLocked: true });
    const hashes = picturesOf(content);
    const known = await tx
      .selectFrom("certificatePictures")
      .where("hash", "in", [...hashes, ""])
      .select("hash")
      .execute();
    if (known.length < new Set(hashes).size) throw badField("content", "certificates.noPicture");
    const current = await tx
      .selectFrom("certificateDesigns")
      .where(columnOf(subject), "=", subject.id)
      .forUpdate()
      .selectAll()
      .executeTakeFirst();
    if ((current?.version ?? null) !== version) throw conflict("core.conflict");
    const stored = current && (await readContent(tx, subject, current.number));
    const isSame = stored !== undefined && JSON.stringify(sorted(stored)) === JSON.stringify(sorted(content));
    const number = isSame ? (current?.number as number) : await addVersion(tx, ctx.user, subject, content);
    const values = { enabled, number, updatedBy: ctx.user.id, updatedAt: sql<string>`now()` };
    await tx
      .insertInto("certificateDesigns")
      .values({ ...idsOf(subject), ...values })
      .onConflict((clash) =>
        clash
          .column(columnOf(subject))
          .doUpdateSet({ ...values, version: sql<number>`certificate_designs.version + 1` }),
      )
      .execute();
    const action = subject.kind === "course" ? "certificates.design" : "certificates.pathDesign";
    await record(tx, ctx, { action, ...auditedAs(idsOf(subject)), details: { version: number, enabled } });
  });
  return (await getDesign(ctx, subject)) as Design;
}

const sorted = (content: DesignContent) => Object.entries(content).toSorted(([a], [b]) => a.localeCompare(b));
const readContent = async (db: Db, subject: Subject, number: number) =>
  (
    await db
      .selectFrom("certificateDesignVersions")
      .where(columnOf(subject), "=", subject.id)
      .where("number", "=", number)
      .select("content")
      .executeTakeFirst()
  )?.content;

async function addVersion(tx: Db, user: User, subject: Subject, content: DesignContent) {
  const { number } = await tx
    .insertInto("certificateDesignVersions")
    .values({
      ...idsOf(subject),
      number: sql<number>`(
        select coalesce(max(number), 0) + 1
        from certificate_design_versions
        where ${sql.ref(columnOf(subject))} = ${subject.id}
      )`,
      content: JSON.stringify(content),
      createdBy: user.id,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}

/** Issues what is missing in a job. Returns how many completions have no certificate. */
export async function orderMissing(ctx: Ctx<User>, subject: Subject) {
  const found = await getDesign(ctx, subject);
  if (!found?.enabled) throw conflict("certificates.off");
  const { kind, id } = subject;
  const details = { rows: found.missing };
  const options = { key: `certificates:${id}` };
  await inTransaction(ctx.db, async (tx) => {
    if (kind === "course") {
      await record(tx, ctx, { action: "certificates.issueMissing", courseId: id, details });
      await issueMissing.enqueue(tx, { courseId: id }, options);
    } else {
      await record(tx, ctx, { action: "certificates.issueMissingOfPath", object: { paths: id }, details });
      await issueMissingOfPath.enqueue(tx, { pathId: id }, options);
    }
  });
  return { missing: found.missing };
}

/** Stores a picture by the hash of its bytes, which say what type it has. */
export async function addPicture({ db }: Ctx<User>, dataUrl: string) {
  const bytes = bytesOf(dataUrl);
  const type = imageTypeOf(bytes) ?? "";
  const size = TYPES.includes(type) ? imageSize(bytes, type) : null;
  if (!size || bytes.length > PICTURE_BYTES || Math.max(size.width, size.height) > PICTURE_PIXELS)
    throw badField("dataUrl", "certificates.badPicture", { kb: PICTURE_BYTES / 1024, pixels: PICTURE_PIXELS });
  const hash = createHash("sha256").update(bytes).digest("hex");
  await db
    .insertInto("certificatePictures")
    .values({ hash, type, bytes })
    .onConflict((clash) => clash.doNothing())
    .execute();
  return { hash };
}

export async function sendPicture({ db }: Ctx<User>, hash: string) {
  const row = await db
    .selectFrom("certificatePictures")
    .where("hash", "=", hash)
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  return new FileAnswer(hash, row.type, row.bytes as never, 1);
}

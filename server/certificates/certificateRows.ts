import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, isOneOf, readPage, searchFor } from "#server/core/database/listing.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown, shown } from "#server/core/database/measured.ts";
import { columnOf, type Subject } from "#server/certificates/subjects.ts";
import type { Certificate, certificates, CertificateState } from "#shared/certificates/certificates.ts";
import type { CertificateKind } from "#shared/certificates/designs.ts";
import { readNumber } from "#shared/certificates/numbers.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const SCOPE = { company: "certificates.companyId", person: "certificates.personId" };
const isReplaced = sql<boolean>`exists (
  select from certificates later
  where later.replaces = certificates.id
)`;
/** Today in the time zone of the issuer. */
const today = sql`(now() at time zone (
  select companies.timezone
  from companies
  where companies.id = certificates.company_id
))::date`;
const isPast = sql<boolean>`coalesce(certificates.valid_until < ${today}, false)`;

/** SQL: the state of a certificate today. */
export const stateOf = sql<CertificateState>`case
  when ${isReplaced} then 'replaced'
  when certificates.revoked_at is not null then 'revoked'
  when ${isPast} then 'expired'
  else 'valid'
end`;
const inState: Record<CertificateState, RawBuilder<boolean>> = {
  replaced: isReplaced,
  revoked: sql`(certificates.revoked_at is not null and not ${isReplaced})`,
  expired: sql`(certificates.revoked_at is null and ${isPast})`,
  valid: sql`(certificates.revoked_at is null and not ${isPast})`,
};

export const replacedBy = sql<string | null>`(
  select later.number
  from certificates later
  where later.replaces = certificates.id
)`;
const fact = (name: string) => sql<string>`certificates.facts ->> ${sql.lit(name)}`;

const inScopeOf = ({ db, user }: Pick<Ctx<User>, "db" | "user">) =>
  db.selectFrom("certificates").where(inScope(user, SCOPE));

/** What a certificate says of score and time, for those who may see it. */
const claimsFor = (user: User) =>
  [
    shown(user, "scores", SCOPE.company, sql<number | null>`certificates.score_percent`).as("scorePercent"),
    shown(user, "activeTime", SCOPE.company, sql<number | null>`certificates.minutes`).as("minutes"),
  ] as const;

const selectCertificates = (ctx: Pick<Ctx<User>, "db" | "user">) =>
  inScopeOf(ctx)
    .leftJoin("users", "users.id", "certificates.personId")
    .select([
      "certificates.id",
      "certificates.number",
      "certificates.name",
      "certificates.personId",
      "certificates.companyId",
      "certificates.courseId",
      "certificates.pathId",
      "certificates.takenBackAt",
      ...claimsFor(ctx.user),
      "certificates.showName",
      "certificates.showScore",
      "certificates.showMinutes",
      "certificates.revokedAt",
      "certificates.revokedReason",
      fact("title").as("title"),
      fact("issuerName").as("company"),
      sql<CertificateKind>`case when certificates.path_id is null then 'course' else 'path' end`.as("kind"),
      sql<string>`coalesce(${fact("course")}, ${fact("path")})`.as("course"),
      sql<number>`coalesce(${fact("courseVersion")}, ${fact("pathVersion")})::int`.as("courseVersion"),
      fact("completedOn").as("completedOn"),
      fact("issuedOn").as("issuedOn"),
      sql<string | null>`certificates.facts ->> 'validUntil'`.as("validUntil"),
      sql<boolean>`certificates.position is not null`.as("sealed"),
      stateOf.as("state"),
      replacedBy.as("replacedBy"),
      sql<string | null>`case
        when users.name <> '' and users.name <> certificates.name then users.name
      end`.as("newName"),
    ]);

/** One page of certificates, newest first, in the scope of the user. */
export async function listCertificates(ctx: Ctx<User>, query: QueryOf<typeof certificates.list>) {
  const { companyId, courseId, pathId, state, takenBack, q } = query;
  const number = readNumber(q ?? "");
  const people =
    q && !number
      ? await findElsewhere(q, ["certificates.personId"], (word) =>
          ctx.db
            .selectFrom("users")
            .where(inScope(ctx.user, { company: "users.companyId", person: "users.id" }))
            .where(searchFor(word, ["users.name", "users.email"]))
            .select("id"),
        )
      : [];
  const matching = inScopeOf(ctx)
    .$if(companyId !== undefined, (rows) => rows.where("certificates.companyId", "=", companyId as string))
    .$if(courseId !== undefined, (rows) => rows.where("certificates.courseId", "=", courseId as string))
    .$if(pathId !== undefined, (rows) => rows.where("certificates.pathId", "=", pathId as string))
    .$if(takenBack === true, (rows) => rows.where("certificates.takenBackAt", "is not", null))
    .$if(state !== undefined, (rows) => rows.where(inState[state as CertificateState]))
    .$if(number !== "", (rows) => rows.where("certificates.number", "=", number))
    .$if(people.length > 0, (rows) => rows.where(searchFor(q as string, [], people)));
  return readPage<Certificate>(query, {
    ids: matching.orderBy("certificates.issuedAt", "desc").orderBy("certificates.id").select("certificates.id"),
    total: matching.select(sql<number>`count(*)::int`.as("total")),
    rows: (ids) => selectCertificates(ctx).where(isOneOf("certificates.id", ids)).execute(),
  });
}

/** The certificates of a person; nothing for admins. */
export function listOwn(ctx: Ctx<User>, query: QueryOf<typeof certificates.mine>) {
  const own = ctx.db
    .selectFrom("certificates")
    .where("personId", "=", ctx.user.id)
    .$if(query.courseId !== undefined, (rows) => rows.where("courseId", "=", query.courseId as string))
    .$if(query.pathId !== undefined, (rows) => rows.where("pathId", "=", query.pathId as string));
  return readPage<Certificate>(query, {
    ids: own.orderBy("issuedAt", "desc").orderBy("id").select("id"),
    total: own.select(sql<number>`count(*)::int`.as("total")),
    rows: (ids) => selectCertificates(ctx).where(isOneOf("certificates.id", ids)).execute(),
  });
}

/** The newest certificate of a person for a course or path, and the one that it gives; null without one. */
export async function getOffer(ctx: Ctx<User>, subject: Subject) {
  const { items } = await listOwn(ctx, { [columnOf(subject)]: subject.id, page: 1, size: 1 });
  return { earned: items[0] ?? null, offer: await readOffer(ctx, subject) };
}

/** SQL condition: the person takes the course or is on the path. */
const takes = (user: User, { kind, id }: Subject) =>
  kind === "course"
    ? sql<boolean>`exists (
        select from enrolments
        where enrolments.user_id = ${user.id}
          and enrolments.course_id = ${id}
          and enrolments.status <> 'withdrawn'
      )`
    : sql<boolean>`exists (
        select from path_enrolments
        where path_enrolments.user_id = ${user.id}
          and path_enrolments.path_id = ${id}
          and path_enrolments.withdrawn_at is null
      )`;

const readOffer = async ({ db, user }: Ctx<User>, subject: Subject) =>
  (await db
    .selectFrom("certificateDesigns as designs")
    .innerJoin("certificateDesignVersions as versions", (join) =>
      join
        .onRef(`versions.${columnOf(subject)}`, "=", `designs.${columnOf(subject)}`)
        .onRef("versions.number", "=", "designs.number"),
    )
    .where(`designs.${columnOf(subject)}`, "=", subject.id)
    .where("designs.enabled", "=", true)
    .where(takes(user, subject))
    .select(sql<number | null>`(versions.content ->> 'months')::int`.as("months"))
    .executeTakeFirst()) ?? null;

export const getCertificate = (ctx: Pick<Ctx<User>, "db" | "user">, id: string): Promise<Certificate> =>
  selectCertificates(ctx).where("certificates.id", "=", id).executeTakeFirstOrThrow(notFound);

/** Everything that is stored of a certificate in the scope of the user, with its design. */
export const readStored = (ctx: Pick<Ctx<User>, "db" | "user">, id: string) =>
  inScopeOf(ctx)
    .innerJoin("certificateDesignVersions as versions", "versions.id", "certificates.designId")
    .where("certificates.id", "=", id)
    .selectAll("certificates")
    .select(["versions.content", stateOf.as("state")])
    .select(isShown(ctx.user, "scores", SCOPE.company).as("showsScoreToReader"))
    .select(isShown(ctx.user, "activeTime", SCOPE.company).as("showsMinutesToReader"))
    .executeTakeFirstOrThrow(notFound);

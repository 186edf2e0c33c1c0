import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { storeChange } from "#server/catalogue/changes.ts";
import { checkCompany, getOffer, type Scoped } from "#server/catalogue/offerRows.ts";
import { countPlaces, countWaiting, storeNumbers } from "#server/catalogue/places.ts";
import { storePrerequisites } from "#server/catalogue/prerequisites.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { type catalogue, MAX_OFFERS } from "#shared/catalogue/catalogue.ts";
import type { OfferTerms } from "#shared/catalogue/terms.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const toColumns = ({ requires: _, ...terms }: OfferTerms) => terms;

/** Changes of prerequisites in a company wait for each other, so that no cycle forms between them. */
const lockCompany = (tx: Tx, id: string) =>
  tx.selectFrom("companies").where("id", "=", id).select("id").forNoKeyUpdate().execute();

/** Counts the places of changed terms. */
async function countAgain(tx: Tx, offer: Parameters<typeof countWaiting>[1]) {
  const waiting = offer.places === null ? 0 : await countWaiting(tx, offer, null);
  await storeNumbers(tx, offer.id, (await countPlaces(tx, { ...offer, waiting })) ?? { taken: 0, open: 0, waiting });
}

/** Offers a published course; one that was taken out of the catalogue is offered again. */
export async function createOffer(
  ctx: Ctx<User>,
  companyId: string,
  { courseId, terms }: BodyOf<typeof catalogue.create>,
) {
  const id = await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      await checkCompany({ ...ctx, db: tx }, companyId);
      await lockCompany(tx, companyId);
      const course = await tx
        .selectFrom("courses")
        .where("id", "=", courseId)
        .where("status", "=", "published")
        .select("id")
        .executeTakeFirst();
      if (!course) throw badField("courseId", "catalogue.unknownCourse");
      const { count } = await tx
        .selectFrom("catalogueOffers")
        .where("companyId", "=", companyId)
        .where("removedAt", "is", null)
        .select((e) => e.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (count >= MAX_OFFERS) throw conflict("catalogue.tooMany", undefined, { count: MAX_OFFERS });
      const columns = { ...toColumns(terms), updatedBy: ctx.user.id };
      const made = await tx
        .insertInto("catalogueOffers")
        .values({ companyId, courseId, ...columns })
        .onConflict((on) =>
          on
            .columns(["companyId", "courseId"])
            .doUpdateSet({
              ...columns,
              updatedAt: sql`now()`,
              removedAt: null,
              pausedAt: null,
              version: sql`catalogue_offers.version + 1`,
            })
            .where("catalogueOffers.removedAt", "is not", null),
        )
        .returning("id")
        .executeTakeFirst();
      if (!made) throw badField("courseId", "catalogue.exists");
      await storePrerequisites(tx, companyId, courseId, terms.requires);
      await countAgain(tx, { id: made.id, companyId, courseId, places: terms.places });
      await record(tx, ctx, { action: "catalogue.create", courseId, companyId });
      return made.id;
    }),
  );
  return getOffer(ctx, id);
}

type Stored = {
  companyId: string;
  courseId: string;
  version: number;
  updatedAt: string;
  updatedBy: string | null;
};

/** Locks an offer of a company in the scope of the user, after its company; 404 for any other. */
async function lockStored({ db, user }: Scoped & { db: Tx }, id: string): Promise<Stored> {
  const { companyId } = await db
    .selectFrom("catalogueOffers")
    .where("id", "=", id)
    .where("removedAt", "is", null)
    .where(inScope(user, { company: "catalogueOffers.companyId" }))
    .select("companyId")
    .executeTakeFirstOrThrow(notFound);
  await lockCompany(db, companyId);
  return db
    .selectFrom("catalogueOffers")
    .leftJoin("users", "users.id", "catalogueOffers.updatedBy")
    .where("catalogueOffers.id", "=", id)
    .where("catalogueOffers.removedAt", "is", null)
    .where(inScope(user, { company: "catalogueOffers.companyId" }))
    .select([
      "catalogueOffers.companyId",
      "catalogueOffers.courseId",
      "catalogueOffers.version",
      "catalogueOffers.updatedAt",
      sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("updatedBy"),
    ])
    .forNoKeyUpdate("catalogueOffers")
    .executeTakeFirstOrThrow(notFound);
}

export async function updateOffer(ctx: Ctx<User>, id: string, { terms, version }: BodyOf<typeof catalogue.update>) {
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const scoped = { ...ctx, db: tx };
      const { companyId, courseId, ...stored } = await lockStored(scoped, id);
      if (stored.version !== version) {
        const current = await getOffer(scoped, id);
        throw conflict("core.conflict", { current, changedBy: stored.updatedBy, changedAt: stored.updatedAt });
      }
      await tx
        .updateTable("catalogueOffers")
        .set({ ...toColumns(terms), version: version + 1, updatedAt: sql`now()`, updatedBy: ctx.user.id })
        .where("id", "=", id)
        .execute();
      await storePrerequisites(tx, companyId, courseId, terms.requires);
      await countAgain(tx, { id, companyId, courseId, places: terms.places });
      await record(tx, ctx, { action: "catalogue.update", courseId, companyId });
      // People may move up now, or wait for a place that there is no more.
      await storeChange(tx, id);
    }),
  );
  return getOffer(ctx, id);
}

/** Takes a course out of the catalogue. People keep it; the job closes what is open and tells them. */
export const removeOffer = (ctx: Ctx<User>, id: string) =>
  repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      const { companyId, courseId } = await lockStored({ ...ctx, db: tx }, id);
      await tx
        .updateTable("catalogueOffers")
        .set({ removedAt: sql`now()`, updatedAt: sql`now()`, version: sql`version + 1`, updatedBy: ctx.user.id })
        .where("id", "=", id)
        .execute();
      await storePrerequisites(tx, companyId, courseId, []);
      await record(tx, ctx, { action: "catalogue.remove", courseId, companyId });
      await storeChange(tx, id);
    }),
  );

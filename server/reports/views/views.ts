import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { findSubject } from "#server/reports/figures/report.ts";
import { nextMailAt } from "#server/reports/views/schedule.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";
import { canBeMailed, MAX_VIEWS, reportOfPath, type SavedView, type views } from "#shared/reports/views.ts";

/** The most views of one list, those of all admins together. A page shows a handful. */
const MAX_LISTED = 1000;

/** Views of the reader and shared ones of others, with the emails that the reader chose. */
const selectViews = ({ user }: Ctx<User>, db: Db) =>
  db
    .selectFrom("savedViews")
    .innerJoin("users as owner", "owner.id", "savedViews.ownerId")
    .leftJoin("viewMails as mail", (join) =>
      join.onRef("mail.viewId", "=", "savedViews.id").on("mail.userId", "=", user.id),
    )
    .where(inScope(user, { company: "savedViews.companyId" }))
    .where((e) => e.or([e("ownerId", "=", user.id), e("isShared", "=", true)]))
    .select(["savedViews.id", "savedViews.version", "savedViews.name", "path", "query", "isShared", "rhythm", "nextAt"])
    .select((e) => [
      e("ownerId", "=", user.id).$castTo<boolean>().as("isMine"),
      sql<string>`coalesce(nullif(owner.name, ''), owner.email)`.as("owner"),
    ]);

const readView = (ctx: Ctx<User>, db: Db, id: string): Promise<SavedView> =>
  selectViews(ctx, db).where("savedViews.id", "=", id).executeTakeFirstOrThrow(notFound);

/** Locks a view of the user; 404 if it belongs to somebody else. */
const lockOwnView = ({ user }: Ctx<User>, tx: Tx, id: string) =>
  tx
    .selectFrom("savedViews")
    .where("id", "=", id)
    .where("ownerId", "=", user.id)
    .where(inScope(user, { company: "savedViews.companyId" }))
    .select(["version", "path"])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);

/** Turns the violation of the unique name into an error of the field. */
const withUniqueName = <T>(saving: Promise<T>) =>
  saving.catch((error: unknown) => {
    throw isUniqueViolation(error, "saved_views_name") ? badField("name", "views.nameTaken") : error;
  });

export async function listViews(ctx: Ctx<User>, { path }: QueryOf<typeof views.list>) {
  const items: SavedView[] = await selectViews(ctx, ctx.db)
    .$if(path !== undefined, (rows) => rows.where("path", "=", path as string))
    .orderBy(sql`lower(saved_views.name)`)
    .orderBy("savedViews.id")
    .limit(MAX_LISTED)
    .execute();
  return { items };
}

export async function createView(ctx: Ctx<User>, body: BodyOf<typeof views.create>) {
  const scope = scopeOf(ctx.user);
  const report = reportOfPath(body.path);
  if (report) await findSubject(ctx, report.id);
  const save = inTransaction(ctx.db, async (tx) => {
    const { count } = await tx
      .selectFrom("savedViews")
      .where("ownerId", "=", ctx.user.id)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_VIEWS) throw conflict("views.tooMany", undefined, { count: MAX_VIEWS });
    const { id } = await tx
      .insertInto("savedViews")
      .values({ ...body, ownerId: ctx.user.id, companyId: scope.kind === "company" ? scope.companyId : null })
      .returning("id")
      .executeTakeFirstOrThrow();
    await record(tx, ctx, { action: "views.create" });
    return readView(ctx, tx, id);
  });
  return withUniqueName(save);
}

export function updateView(ctx: Ctx<User>, id: string, { version, ...changes }: BodyOf<typeof views.update>) {
  const save = inTransaction(ctx.db, async (tx) => {
    const view = await lockOwnView(ctx, tx, id);
    if (view.version !== version) throw conflict("core.conflict");
    await tx
      .updateTable("savedViews")
      .set({ ...changes, version: sql`version + 1` })
      .where("id", "=", id)
      .execute();
    if (changes.isShared === false)
      await tx.deleteFrom("viewMails").where("viewId", "=", id).where("userId", "<>", ctx.user.id).execute();
    await record(tx, ctx, { action: "views.update" });
    return readView(ctx, tx, id);
  });
  return withUniqueName(save);
}

export async function removeView(ctx: Ctx<User>, id: string) {
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnView(ctx, tx, id);
    await tx.deleteFrom("savedViews").where("id", "=", id).execute();
    await record(tx, ctx, { action: "views.remove" });
  });
}

/** Chooses how often the person gets the figures of a report by email, from the next Monday or first of a month. */
export async function chooseViewMail(ctx: Ctx<User>, id: string, { rhythm, zone }: BodyOf<typeof views.mail>) {
  return inTransaction(ctx.db, async (tx) => {
    const view = await readView(ctx, tx, id);
    if (!canBeMailed(view.path)) throw badField("rhythm", "views.noFigures");
    if (rhythm === null)
      await tx.deleteFrom("viewMails").where("viewId", "=", id).where("userId", "=", ctx.user.id).execute();
    else {
      const chosen = { rhythm, zone, nextAt: nextMailAt(rhythm, zone) };
      await tx
        .insertInto("viewMails")
        .values({ viewId: id, userId: ctx.user.id, ...chosen })
        .onConflict((e) => e.columns(["viewId", "userId"]).doUpdateSet(chosen))
        .execute();
    }
    return readView(ctx, tx, id);
  });
}

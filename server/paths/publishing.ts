import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { computeStandings, type PathEnrolment } from "#server/paths/advancing.ts";
import { checkPublishable, readTitles } from "#server/paths/checks.ts";
import { requestFollow } from "#server/paths/follow.ts";
import { getPath, PATH_SCOPE } from "#server/paths/pathRows.ts";
import { lockPath, nextVersion } from "#server/paths/service.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { paths, PublishPreview } from "#shared/paths/paths.ts";
import { titleOf } from "#shared/paths/steps.ts";

/** People per computation of a preview. */
const BATCH = 1000;

/** The next people on a path who are not withdrawn and still belong to the company of their path enrolment. */
const selectPeople = ({ db, user }: Ctx<User>, pathId: string, after: string | null): Promise<PathEnrolment[]> =>
  db
    .selectFrom("pathEnrolments")
    .innerJoin("users", (join) =>
      join.onRef("users.id", "=", "pathEnrolments.userId").onRef("users.companyId", "=", "pathEnrolments.companyId"),
    )
    .where("pathId", "=", pathId)
    .where("withdrawnAt", "is", null)
    .where(inScope(user, PATH_SCOPE))
    .$if(after !== null, (rows) => rows.where("pathEnrolments.id", ">", after))
    .orderBy("pathEnrolments.id")
    .limit(BATCH)
    .selectAll("pathEnrolments")
    .execute();

/** Computes, by the code that moves people later, what moving everyone to the draft would change; stores nothing. */
export const previewPublish = (ctx: Ctx<User>, id: string, { version }: BodyOf<typeof paths.previewPublish>) =>
  inTransaction(ctx.db, async (tx): Promise<PublishPreview> => {
    const scoped = { ...ctx, db: tx };
    const path = await getPath(scoped, id);
    if (path.version !== version) throw conflict("core.conflict", { current: path, changedBy: null, changedAt: null });
    await checkPublishable(tx, path.draft);
    const counts = { moving: 0, complete: 0, completes: 0 };
    const [gets, loses] = [new Map<string, number>(), new Map<string, number>()];
    const add = (to: Map<string, number>, stepId: string) => to.set(stepId, (to.get(stepId) ?? 0) + 1);
    const known = new Map(path.draft.map((step) => [step.id, step]));
    for (let after: string | null = null; ;) {
      const people: PathEnrolment[] = await selectPeople(scoped, id, after);
      const [now, then] = [await computeStandings(tx, people), await computeStandings(tx, people, path.draft)];
      for (const [index, standing] of now.entries()) {
        for (const step of standing.steps) if (!known.has(step.id)) known.set(step.id, step);
        if (standing.enrolment.completedAt) {
          counts.complete++;
          continue;
        }
        const next = then[index] as typeof standing;
        counts.moving++;
        if (next.completedAt) counts.completes++;
        const had = new Set(standing.progress.map(({ stepId }) => stepId));
        const has = new Set(next.progress.map(({ stepId }) => stepId));
        for (const stepId of has) if (!had.has(stepId)) add(gets, stepId);
        for (const stepId of had) if (!has.has(stepId)) add(loses, stepId);
      }
      after = people.at(-1)?.id ?? null;
      if (people.length < BATCH) break;
    }
    const titles = await readTitles(tx, [...known.values()]);
    const listed = (of: Map<string, number>) =>
      [...known.values()].flatMap((step) => {
        const people = of.get(step.id);
        return people ? [{ stepId: step.id, title: titleOf(step, titles), people }] : [];
      });
    return { no: (path.live ?? 0) + 1, ...counts, gets: listed(gets), loses: listed(loses) };
  });

/** Publishes the draft. If `people` is "move", the job that recomputes people moves them to it in batches. */
export const publishPath = (ctx: Ctx<User>, id: string, { version, people }: BodyOf<typeof paths.publish>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const path = await lockPath(ctx, tx, id, version);
    if (path.status === "archived") throw conflict("paths.archived");
    const { live, changed } = await getPath(scoped, id);
    if (!changed) throw conflict("paths.unchanged");
    await checkPublishable(tx, path.draft);
    const no = (live ?? 0) + 1;
    await tx
      .insertInto("pathVersions")
      .values({
        pathId: id,
        no,
        steps: JSON.stringify(path.draft),
        moves: people === "move",
        publishedBy: ctx.user.id,
      })
      .execute();
    await tx
      .updateTable("paths")
      .set({ status: "published", ...nextVersion(ctx, version) })
      .where("id", "=", id)
      .execute();
    if (people === "move") {
      await sql`
        insert into path_changes (enrolment_id, priority)
        select id, 1
        from path_enrolments
        where path_id = ${id}
          and withdrawn_at is null
          and completed_at is null`.execute(tx);
      await requestFollow(tx);
    }
    await record(tx, ctx, { action: "paths.publish", object: { paths: id }, details: { version: no, people } });
    return getPath(scoped, id);
  });

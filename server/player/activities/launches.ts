import { type Db, inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { launchDocument } from "#server/player/activities/launchDocument.ts";
import { sayAbandoned, sayLaunched, saySatisfied, type Speech } from "#server/player/activities/ownStatements.ts";
import { activityIdOf, findSatisfied, listUnits, type Unit } from "#server/player/activities/units.ts";
import { LAUNCH_DATA, type LaunchMode } from "#server/player/activities/vocabulary.ts";
import { lockSession } from "#server/player/activities/serverEvents.ts";
import type { SessionState } from "#server/player/sessionState.ts";
import { putDocument, storeStatements } from "#server/statements/platform.ts";
import { PUBLISHER_ID, reportsByStatements } from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";
import { RECORD_STORE_PATH } from "#shared/statements/statements.ts";
import type { Agent, Statement } from "#shared/statements/xapi.ts";

// A launch of one activity in a session: cmi5 calls it a session of the AU

type Ctx = Pick<Services, "db" | "config">;
export const FETCH_PATH = "/activities/token";

/** The learner in statements: an account of this platform, by an id that tells nothing about the person. */
export const actorOf = (publicUrl: string, userId: string): Agent => ({
  objectType: "Agent",
  account: { homePage: publicUrl, name: userId },
});

/** The id of an activity in statements; packages of xAPI know only their own. */
export const activityOfPart = (publicUrl: string, courseId: string, part: Part) =>
  part.kind === "xapi" ? (part.given[PUBLISHER_ID] ?? "") : activityIdOf(publicUrl, courseId, part.sco);

/** What the statements of the platform about a session have in common. */
export const speechOf = (publicUrl: string, session: SessionState, launchId: string): Speech => ({
  launchId,
  actor: actorOf(publicUrl, session.origin.userId),
  registration: session.attemptId,
  activityIdOf: (key) => activityIdOf(publicUrl, session.courseId, key),
});

/** Stores what the platform says about a session. */
export async function sayInStore(publicUrl: string, tx: Tx, session: SessionState, said: Statement[]) {
  if (said.length === 0) return;
  const { origin, sessionId, attemptId } = session;
  await storeStatements(tx, origin.companyId, said, { publicUrl, userId: origin.userId, sessionId, attemptId });
}

/** The blocks and courses of cmi5 among the parts of a session. */
export async function readUnits(db: Db, session: SessionState): Promise<Unit[]> {
  if (!session.course.parts.some(({ kind }) => kind === "cmi5")) return [];
  const { title } = await db
    .selectFrom("courses")
    .where("id", "=", session.courseId)
    .select("title")
    .executeTakeFirstOrThrow();
  return listUnits(session.course.parts, title);
}

/**
 * Launches an activity in a session, which ends the launch before it. Returns its address relative to the folder of the
 * package, with the query that it needs. The session token is authorised by the route.
 */
export const launchActivity = (ctx: Ctx, sessionId: string, sco: string) =>
  repeatOnDeadlock(() => launch(ctx, sessionId, sco));

async function launch(ctx: Ctx, sessionId: string, sco: string): Promise<{ href: string }> {
  const key = newToken();
  return inTransaction(ctx.db, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (!session) throw new Problem(401, "player.sessionUnknown");
    if (!session.hasAccess) throw new Problem(403, "core.forbidden");
    if (session.hasNewerSession) throw conflict("player.sessionReplaced");
    const part = session.course.parts.find((one) => one.sco === sco && one.href !== null);
    if (!part || !reportsByStatements(part.kind)) throw notFound();
    const isFirst = !(await hasLaunches(tx, session.attemptId));
    const abandoned = await abandonLaunches(ctx, tx, session);
    const mode = await modeOf(tx, session);
    const isXapi = part.kind === "xapi";
    const { origin, attemptId } = session;
    const { id } = await tx
      .insertInto("activityLaunches")
      .values({ sessionId, attemptId, sco, mode, ...origin, [isXapi ? "tokenHash" : "fetchHash"]: hashToken(key) })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { publicUrl } = ctx.config;
    const activityId = activityOfPart(publicUrl, session.courseId, part);
    const actor = actorOf(publicUrl, origin.userId);
    const common = {
      endpoint: `${ctx.config.contentOrigin}${RECORD_STORE_PATH}/`,
      actor: JSON.stringify(actor),
      registration: attemptId,
    };
    if (isXapi) {
      await sayInStore(publicUrl, tx, session, abandoned);
      const auth = `Basic ${Buffer.from(`${id}:${key}`).toString("base64")}`;
      return { href: withQuery(part, { ...common, auth, activity_id: activityId }) };
    }
    const speech = speechOf(publicUrl, session, id);
    const satisfied = isFirst ? findSatisfied(await readUnits(tx, session), session.course.parts, new Map()) : [];
    await putDocument(tx, origin.companyId, {
      kind: "state",
      activityId,
      agent: actor,
      registration: attemptId,
      documentId: LAUNCH_DATA,
      contentType: "application/json",
      bytes: Buffer.from(JSON.stringify(launchDocument(ctx.config.contentOrigin, id, part, mode))),
      userId: origin.userId,
    });
    // Without the grant, which would open the files to all who read the statement.
    const url = `${ctx.config.contentOrigin}/files/${part.href}`;
    await sayInStore(publicUrl, tx, session, [
      ...abandoned,
      ...satisfied.map((unit) => saySatisfied(speech, unit)),
      sayLaunched(speech, part, { mode, url }),
    ]);
    const fetch = `${ctx.config.contentOrigin}${FETCH_PATH}?launch=${id}&key=${key}`;
    return { href: withQuery(part, { ...common, fetch, activityId }) };
  });
}

const hasLaunches = async (tx: Tx, attemptId: string) =>
  (await tx.selectFrom("activityLaunches").where("attemptId", "=", attemptId).select("id").limit(1).execute()).length >
  0;

/** Previews and completed attempts: what the activity says about the outcome does not count. */
async function modeOf(tx: Tx, { attemptId, attempt }: SessionState): Promise<LaunchMode> {
  const { preview } = await tx
    .selectFrom("attempts")
    .where("id", "=", attemptId)
    .select("preview")
    .executeTakeFirstOrThrow();
  if (preview) return "Browse";
  return attempt.completion === "complete" ? "Review" : "Normal";
}

/** Ends the open launches of an attempt. Returns the statements that say it of AUs that have not terminated (9.3.6). */
async function abandonLaunches({ config }: Ctx, tx: Tx, session: SessionState) {
  const open = await tx
    .updateTable("activityLaunches")
    .set({ abandonedAt: new Date().toISOString() })
    .where("attemptId", "=", session.attemptId)
    .where("terminatedAt", "is", null)
    .where("abandonedAt", "is", null)
    .returning(["id", "sco", "launchedAt", "lastSaidAt"])
    .execute();
  return open.flatMap(({ id, sco, launchedAt, lastSaidAt }) => {
    const part = session.course.parts.find((one) => one.sco === sco);
    if (part?.kind !== "cmi5") return [];
    const seconds = Math.max(0, Date.parse(lastSaidAt ?? launchedAt) - Date.parse(launchedAt)) / 1000;
    return [sayAbandoned(speechOf(config.publicUrl, session, id), part, seconds)];
  });
}

/** The address of a part with more parameters; its own query stays. */
function withQuery({ href }: Part, parameters: Record<string, string>) {
  const [address = "", fragment] = (href ?? "").split("#", 2);
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const whole = `${address}${address.includes("?") ? "&" : "?"}${query.join("&")}`;
  return fragment === undefined ? whole : `${whole}#${fragment}`;
}

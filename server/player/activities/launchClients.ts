import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Config } from "#server/core/config.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { hashToken, isSame } from "#server/core/secrets.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import { activityOfPart, actorOf, readUnits, sayInStore, speechOf } from "#server/player/activities/launches.ts";
import { saySatisfied } from "#server/player/activities/ownStatements.ts";
import { findRefusal, type LaunchFacts } from "#server/player/activities/statementRules.ts";
import { contextIds, isSameAgent } from "#server/player/activities/statement.ts";
import { MAX_ANSWERS, toEvents } from "#server/player/activities/translation.ts";
import { findSatisfied, isActivityHere } from "#server/player/activities/units.ts";
import { CATEGORY, LAUNCH_DATA, PREFERENCES, unitVerbOf } from "#server/player/activities/vocabulary.ts";
import type { Effects } from "#server/player/commit.ts";
import { lockSession, storeServerEvents } from "#server/player/activities/serverEvents.ts";
import { hasValidToken } from "#server/player/sessionState.ts";
import { ANSWERS_PER_ATTEMPT } from "#server/player/trackingState.ts";
import type { DocumentAccess, LaunchClient, LaunchClients, Refusal } from "#server/statements/launches.ts";
import { MASTERY_SCORE, PUBLISHER_ID } from "#shared/player/activities.ts";
import type { Part } from "#shared/player/player.ts";
import type { Statement } from "#shared/statements/xapi.ts";

/** A launch that calls the record store. */
type ActivityClient = LaunchClient & { launchId: string; part: Part };

/** Versions never change. */
const MAX_CACHED_VERSIONS = 100;
const refuse = (message: string): Refusal => ({ status: 403, message });

/** What the record store asks about launches; effects are stored in the transaction of the statements. */
export function createLaunchClients(config: Pick<Config, "publicUrl" | "secret">, tools: Effects): LaunchClients {
  const partsOf = new LRUCache<string, Part[]>({ max: MAX_CACHED_VERSIONS });
  const readParts = async (db: Db, versionId: string) => {
    const cached = partsOf.get(versionId);
    if (cached) return cached;
    const { parts } = await db
      .selectFrom("courseVersions")
      .where("id", "=", versionId)
      .select("parts")
      .executeTakeFirstOrThrow();
    partsOf.set(versionId, parts);
    return parts;
  };
  const find = async (db: Db, userName: string, password: string): Promise<ActivityClient | null> => {
    const id = z.uuid().safeParse(userName);
    if (!id.success) return null;
    const row = await db
      .selectFrom("activityLaunches")
      .innerJoin("attempts", "attempts.id", "activityLaunches.attemptId")
      .innerJoin("sessions", "sessions.id", "activityLaunches.sessionId")
      .where("activityLaunches.id", "=", id.data)
      .where(hasValidToken)
      // Another window or device has taken the attempt over.
      .where(
        sql<boolean>`not exists (
          select from sessions newer
          where newer.attempt_id = attempts.id
            and newer.started_at > sessions.started_at
        )`,
      )
      .where(sql<boolean>`${sql.raw(hasAccessTo("attempts"))}`)
      .select([
        "activityLaunches.id as launchId",
        "activityLaunches.tokenHash",
        "activityLaunches.sco",
        "activityLaunches.sessionId",
        "activityLaunches.attemptId",
        "activityLaunches.companyId",
        "activityLaunches.userId",
        "attempts.courseId",
        "attempts.versionId",
      ])
      .executeTakeFirst();
    if (!row || row.tokenHash === null || !isSame(row.tokenHash, hashToken(password))) return null;
    const { launchId, sessionId, attemptId, companyId, userId, courseId } = row;
    const part = (await readParts(db, row.versionId)).find(({ sco }) => sco === row.sco);
    if (!part) return null;
    return {
      kind: "launch",
      companyId,
      userId,
      sessionId,
      attemptId,
      agent: actorOf(config.publicUrl, userId),
      activityId: activityOfPart(config.publicUrl, courseId, part),
      registration: attemptId,
      launchId,
      part,
    };
  };

  const beforeStatements = async (tx: Tx, client: LaunchClient, statements: Statement[]) => {
    const { launchId, part, attemptId } = client as ActivityClient;
    // What was said before must not change until these statements are stored.
    await tx.selectFrom("attempts").where("id", "=", attemptId).select("id").forNoKeyUpdate().execute();
    const facts = await readFacts(tx, client as ActivityClient);
    const said = new Set(facts.said);
    let isOver = facts.isOver;
    for (const [n, statement] of statements.entries()) {
      const refusal = findRefusal(statement, { ...facts, said, isOver });
      const place = statements.length > 1 ? `Statement ${n + 1}: ` : "";
      if (refusal !== null) return refuse(`${place}${refusal}`);
      const verb = definedVerb(part, statement);
      if (verb) said.add(verb);
      isOver ||= part.kind === "cmi5" && verb === "terminated";
    }
    await tx
      .updateTable("activityLaunches")
      .set({
        said: [...said],
        lastSaidAt: sql`clock_timestamp()`,
        ...(isOver && { terminatedAt: sql`clock_timestamp()` }),
      })
      .where("id", "=", launchId)
      .execute();
    return null;
  };

  const afterStatements = async (tx: Tx, client: LaunchClient, statements: Statement[]) => {
    const { launchId, part, sessionId, attemptId, activityId } = client as ActivityClient;
    const { mode } = await tx
      .selectFrom("activityLaunches")
      .where("id", "=", launchId)
      .select("mode")
      .executeTakeFirstOrThrow();
    if (mode !== "Normal" || (part.kind !== "cmi5" && part.kind !== "xapi")) return null;
    const nextAnswer = await readNextAnswer(tx, attemptId, part.sco);
    const events = toEvents(statements, { kind: part.kind, sco: part.sco, activityId, nextAnswer });
    if (events.length === 0) return null;
    const session = await lockSession(tx, sessionId);
    // Stored without their effect, they could never be said again.
    if (!session) throw new Problem(401, "player.sessionUnknown");
    const stored = await storeServerEvents(tx, session, events, { secret: config.secret, runWithin: tools.runWithin });
    if (part.kind === "cmi5") {
      const units = await readUnits(tx, session);
      const { parts } = session.course;
      const before = new Set(findSatisfied(units, parts, stored.before.parts).map(({ key }) => key));
      const now = findSatisfied(units, parts, stored.after.parts).filter(({ key }) => !before.has(key));
      const speech = speechOf(config.publicUrl, session, launchId);
      await sayInStore(
        config.publicUrl,
        tx,
        session,
        now.map((unit) => saySatisfied(speech, unit)),
      );
    }
    return () => {
      if (stored.completes) tools.request();
      if (stored.hasValues) tools.onValues();
    };
  };

  const beforeDocument = async (db: Db, client: LaunchClient, access: DocumentAccess): Promise<Refusal | null> => {
    const { launchId, part } = client as ActivityClient;
    const { isOver } = await readFacts(db, client as ActivityClient);
    const refusal = isOver ? refuse("the session of the AU has ended (9.3.8)") : judgeDocument(client, part, access);
    if (!refusal && access.kind === "agent" && access.method === "GET" && access.documentId === PREFERENCES)
      await db
        .updateTable("activityLaunches")
        .set({ preferencesReadAt: sql`clock_timestamp()` })
        .where("id", "=", launchId)
        .where("preferencesReadAt", "is", null)
        .execute();
    return refusal;
  };

  return { find, beforeStatements, afterStatements, beforeDocument };
}

/** Documents that a learner shares with others, or that the platform writes, can only be read. */
function judgeDocument(client: LaunchClient, part: Part, access: DocumentAccess): Refusal | null {
  const { kind, method, agent, registration, activityId, documentId } = access;
  const isRead = method === "GET";
  if (kind === "activity") return isRead ? null : refuse("a course cannot change the profile of an activity");
  if (!isSameAgent(agent, client.agent)) return refuse("the agent is not the actor of the launch");
  if (kind === "agent")
    return isRead || documentId !== PREFERENCES ? null : refuse("the learner preferences can only be read");
  const isOwn = registration === null ? part.kind === "xapi" : registration.toLowerCase() === client.registration;
  if (!isOwn) return refuse("the registration is not that of the launch");
  if (part.kind !== "cmi5")
    return isActivityHere(client.agent.account?.homePage ?? "", activityId ?? "")
      ? refuse("the activity is that of another course")
      : null;
  if (activityId !== client.activityId) return refuse("the activity is not that of the launch");
  const isLaunchData = documentId === LAUNCH_DATA || documentId === null;
  return isRead || !isLaunchData ? null : refuse("LMS.LaunchData can only be read (10.2.1)");
}

/** What a cmi5 defined statement says; of packages of xAPI everything that a unit can say. */
const definedVerb = (part: Part, statement: Statement) =>
  part.kind === "xapi" || contextIds(statement, "category").includes(CATEGORY.cmi5)
    ? unitVerbOf(statement.verb.id)
    : null;

async function readFacts(db: Db, client: ActivityClient): Promise<LaunchFacts> {
  const { part, attemptId, launchId } = client;
  const own = await db
    .selectFrom("activityLaunches")
    .where("id", "=", launchId)
    .select(["said", "mode", "preferencesReadAt", "terminatedAt", "abandonedAt"])
    .executeTakeFirst();
  const { rows: before } = await sql<{ verb: string }>`
    select distinct unnest(said) as verb
    from activity_launches
    where attempt_id = ${attemptId}
      and sco = ${part.sco}
      and id <> ${launchId}`.execute(db);
  const { given } = part;
  return {
    id: launchId,
    kind: part.kind === "xapi" ? "xapi" : "cmi5",
    actor: client.agent,
    registration: attemptId,
    activityId: client.activityId,
    publisherId: given[PUBLISHER_ID] ?? "",
    mode: own?.mode ?? "Browse",
    masteryScore: given[MASTERY_SCORE] === undefined ? null : Number(given[MASTERY_SCORE]),
    hasReadPreferences: own?.preferencesReadAt != null,
    isOver: !own || own.terminatedAt !== null || own.abandonedAt !== null,
    said: new Set(own?.said),
    saidBefore: new Set(before.map(({ verb }) => verb)),
  };
}

/** The number of the next answer of a part in an attempt. */
async function readNextAnswer(tx: Tx, attemptId: string, sco: string) {
  const row = await tx
    .selectFrom("answers")
    .where("attemptId", "=", attemptId)
    .where("sco", "=", sco)
    .select((e) => e.fn.max("n").as("last"))
    .executeTakeFirst();
  const last = row?.last ?? null;
  return last === null ? 0 : Math.min(MAX_ANSWERS, (last % ANSWERS_PER_ATTEMPT) + 1);
}

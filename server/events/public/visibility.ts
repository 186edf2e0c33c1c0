import type { ExpressionBuilder } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { isSame, sign } from "#server/core/secrets.ts";
import { giveBack, reserve } from "#server/core/limits/throttle.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import { isInScope, type User } from "#shared/core/users.ts";

/** The most access codes that one network may try in 15 minutes. */
const CODE_GUESSES = 30;
const GRANT_MS = 12 * 3_600_000;

type Secret = { config: { secret: string } };
/** How a visitor opens an event: an access code, a grant from an earlier reply, and the network for rate limits. */
export type Visit = { network: string; code?: string | undefined; grant?: string | undefined };

/** The stored form of an access code. Keyed, because short codes could be guessed from a plain hash. */
export const codeHash = ({ config }: Secret, code: string) =>
  sign(config.secret, `event code ${code.trim().toLowerCase()}`);

/**
 * A grant for the pictures and the calendar file of an event, which browsers request without a token; null if everybody
 * may see the event. Valid for 12 to 24 hours.
 */
export function grantOf({ config }: Secret, event: Pick<EventRow, "id" | "status" | "visibility">) {
  if (event.status !== "draft" && (event.visibility === "public" || event.visibility === "unlisted")) return null;
  const until = String((Math.floor(Date.now() / GRANT_MS) + 2) * GRANT_MS);
  return `${until}.${sign(config.secret, `event grant ${event.id} ${until}`)}`;
}

function isGranted({ config }: Secret, event: Pick<EventRow, "id">, grant: string | undefined) {
  const [until = "", signature = ""] = (grant ?? "").split(".");
  return Number(until) > Date.now() && isSame(sign(config.secret, `event grant ${event.id} ${until}`), signature);
}

function isVisible(
  ctx: Secret & { user: User | null },
  event: EventRow,
  { code, grant }: Pick<Visit, "code" | "grant">,
) {
  if ((ctx.user && isInScope(ctx.user, event)) || isGranted(ctx, event, grant)) return true;
  if (event.status === "draft") return false;
  if (event.visibility === "public" || event.visibility === "unlisted") return true;
  if (event.visibility === "company")
    return ctx.user !== null && ctx.user.companyId !== null && ctx.user.companyId === event.companyId;
  return code !== undefined && event.accessCodeHash !== null && isSame(codeHash(ctx, code), event.accessCodeHash);
}

/** The event that has, or had, this slug. */
export const findBySlug = (db: Db, slug: string) =>
  db
    .selectFrom("eventSlugs")
    .innerJoin("events", "events.id", "eventSlugs.eventId")
    .where("eventSlugs.slug", "=", slug)
    .selectAll("events")
    .executeTakeFirst();

/**
 * The event with this slug if the visitor may see it; otherwise 404, whether it exists or not. Wrong codes count
 * towards a rate limit, even for slugs without an event.
 */
export async function getVisibleEvent(ctx: Ctx, slug: string, visit: Visit): Promise<EventRow> {
  const attemptKey = ["event code", visit.network];
  if (visit.code !== undefined && !(await reserve(ctx.db, attemptKey, CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const event = await findBySlug(ctx.db, slug);
  if (!event || !isVisible(ctx, event, visit)) throw notFound();
  if (visit.code !== undefined) await giveBack(ctx.db, attemptKey);
  return event;
}

/** Condition on `events`: listed for this user, that is public or of their company. */
export const isListedFor = (user: User | null) => (e: ExpressionBuilder<DB, "events">) => {
  // Must match the condition of the partial index on public events exactly.
  if (!user)
    return e.and([e("events.status", "in", ["published", "cancelled"]), e("events.visibility", "=", "public")]);
  const ofCompany = e.and([
    e("events.visibility", "=", "company"),
    user.companyId ? e("events.companyId", "=", user.companyId) : inScope(user, { company: "events.companyId" }),
  ]);
  return e.and([
    e("events.status", "in", ["published", "cancelled"]),
    e.or([e("events.visibility", "=", "public"), ofCompany]),
  ]);
};

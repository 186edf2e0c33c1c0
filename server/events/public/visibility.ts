import type { ExpressionBuilder } from "kysely";
import type { Db } from "#server/core/db.ts";
import type { DB } from "#server/core/db.types.ts";
import type { Ctx } from "#server/core/http.ts";
import { notFound, Problem } from "#server/core/problem.ts";
import { isSame, sign } from "#server/core/secrets.ts";
import { giveBack, reserve } from "#server/core/throttle.ts";
import type { EventRow } from "#server/events/registrations/seats.ts";
import type { User } from "#shared/users.ts";

/** Codes one network may try in a quarter of an hour. */
const CODE_GUESSES = 30;
const GRANT_MS = 12 * 3_600_000;

type Secret = { config: { secret: string } };
/** Who looks at an event: a code from the address, a grant from an earlier answer, and the network for the limits. */
export type Visit = { network: string; code?: string | undefined; grant?: string | undefined };

/** What is stored of an access code: short codes could be guessed from a plain hash. */
export const codeHash = ({ config }: Secret, code: string) =>
  sign(config.secret, `event code ${code.trim().toLowerCase()}`);

/** A pass of 12 to 24 hours to the picture and the calendar entry of one event, for places where a browser sends no token. */
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
  if (ctx.user?.role === "admin" || isGranted(ctx, event, grant)) return true;
  if (event.status === "draft") return false;
  if (event.visibility === "public" || event.visibility === "unlisted") return true;
  if (event.visibility === "company")
    return ctx.user !== null && ctx.user.companyId !== null && ctx.user.companyId === event.companyId;
  return code !== undefined && event.accessCodeHash !== null && isSame(codeHash(ctx, code), event.accessCodeHash);
}

/** The event that has, or had, this address. */
export const findBySlug = (db: Db, slug: string) =>
  db
    .selectFrom("eventSlugs")
    .innerJoin("events", "events.id", "eventSlugs.eventId")
    .where("eventSlugs.slug", "=", slug)
    .selectAll("events")
    .executeTakeFirst();

/**
 * The event behind an address, as far as this visitor may see it; everything else is the same 404, whether it is there or
 * not. Wrong codes are counted, for addresses without an event too.
 */
export async function openEvent(ctx: Ctx, slug: string, visit: Visit): Promise<EventRow> {
  const tried = ["event code", visit.network];
  if (visit.code !== undefined && !(await reserve(ctx.db, tried, CODE_GUESSES, 900)))
    throw new Problem(429, "core.tooMany", { values: { seconds: 900 } });
  const event = await findBySlug(ctx.db, slug);
  if (!event || !isVisible(ctx, event, visit)) throw notFound();
  if (visit.code !== undefined) await giveBack(ctx.db, tried);
  return event;
}

/** Rows of `events` that stand in the lists of this visitor: public ones, and those of the own company. */
export const listedFor = (user: User | null) => (e: ExpressionBuilder<DB, "events">) => {
  // Just so, for guests: the partial index of public events answers it.
  if (!user)
    return e.and([e("events.status", "in", ["published", "cancelled"]), e("events.visibility", "=", "public")]);
  const ofCompany =
    user.role === "admin"
      ? e("events.visibility", "=", "company")
      : e.and([e("events.visibility", "=", "company"), e("events.companyId", "=", user.companyId)]);
  return e.and([
    e("events.status", "in", ["published", "cancelled"]),
    e.or([e("events.visibility", "=", "public"), ofCompany]),
  ]);
};

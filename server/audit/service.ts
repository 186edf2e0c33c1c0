import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import {
  type AccountAction,
  type AUDITOR,
  type AuditAction,
  type AuditDetails,
  DIRECTORY,
  NOBODY,
} from "#shared/audit/audit.ts";
import { isAdmin, leadsPeople, type User } from "#shared/core/users.ts";

/** The column with the name of each kind of thing that actions concern. */
export const nameColumns = {
  chatbots: "name",
  documents: "title",
  prompts: "name",
  buttonPrompts: "label",
  variables: "label",
  connectors: "name",
  webhooks: "name",
  analysisRuns: "title",
  fields: "name",
  groups: "name",
  enrolmentRules: "name",
  paths: "title",
} as const;
type Named = { [table in keyof typeof nameColumns]?: string };

export type AuditInput = {
  action: AuditAction;
  /** The thing concerned by its table and id: `{ chatbots: id }`. */
  object?: Named;
  /** People concerned: one entry each, so that everyone finds the actions concerning them. */
  people?: string[];
  companyId?: string | null;
  courseId?: string | null;
  /** Counts, field names and states. Never content or names. */
  details?: AuditDetails;
};

/** Who does it: a person, an auditor, or the directory of a company, which is named in the details. */
type Actor =
  Pick<User, "id" | "role" | "apiKey"> | { id: null; role: typeof DIRECTORY | typeof AUDITOR; apiKey?: undefined };

/** The number of entries in a statement, which can have 65,535 parameters. */
const BATCH = 5000;

/**
 * Records an action in the caller's transaction, so that both are committed together. Entries are append-only: the
 * database rejects changes.
 */
export async function record(
  db: Db,
  { user }: { user: Actor },
  { action, object, people, companyId = null, courseId = null, details = {} }: AuditInput,
) {
  if (people && people.length === 0) return;
  const entry = {
    action,
    actorId: user.id,
    actorRole: user.role,
    companyId,
    courseId,
    details: JSON.stringify({ ...objectOf(object), ...details, ...(user.apiKey && { apiKey: user.apiKey.prefix }) }),
  };
  const subjects = people ?? [null];
  for (let at = 0; at < subjects.length; at += BATCH)
    await db
      .insertInto("auditEntries")
      .values(subjects.slice(at, at + BATCH).map((personId) => ({ ...entry, personId })))
      .execute();
}

function objectOf(object: Named | undefined): AuditDetails {
  const [table, id] = Object.entries(object ?? {})[0] ?? [];
  return table && id ? { objectKind: table, objectId: id } : {};
}

/** Records an action on an account by its owner or, if `by` is nobody, by an unknown person who tried to log in. */
export async function recordAccountAction(
  db: Db,
  userId: string,
  action: AccountAction,
  details: AuditDetails = {},
  by: "self" | "nobody" = "self",
) {
  const isSelf = sql.lit(by === "self");
  await sql`
    insert into audit_entries (action, actor_id, actor_role, person_id, company_id, details)
    select
      ${action},
      case when ${isSelf} then id end,
      case when ${isSelf} then role else ${NOBODY} end,
      id,
      company_id,
      ${JSON.stringify(details)}::jsonb
    from users
    where id = ${userId}`.execute(db);
}

/** Repeated views of the same record within this time are recorded once. */
const SAME_VIEW = "10 minutes";

type ViewAction =
  | "reports.open"
  | "reports.answers"
  | "reports.blockPeople"
  | "reports.session"
  | "reports.recording"
  | "conversations.open"
  | "conversations.replay"
  | "team.open";
type Viewed = { companyId?: string | null; courseId?: string | null; conversationId?: string };

/**
 * Records that an admin or a manager viewed the records of another person; `personId` is null for a person without an
 * account. A page sends several requests at the same time: the later ones wait for the first one and find its entry.
 */
export async function recordView(
  ctx: Ctx<User>,
  action: ViewAction,
  personId: string | null,
  { conversationId, ...about }: Viewed = {},
) {
  if (ctx.user.id === personId || !(isAdmin(ctx.user) || leadsPeople(ctx.user))) return;
  const isRecorded = async (db: Db) =>
    (await db
      .selectFrom("auditEntries")
      .where("actorId", "=", ctx.user.id)
      .where("personId", personId === null ? "is" : "=", personId)
      .where("action", "=", action)
      .where("courseId", "is not distinct from", about.courseId ?? null)
      .where(sql<boolean>`details->>'conversation' is not distinct from ${conversationId ?? null}`)
      .where("at", ">", sql<string>`clock_timestamp() - ${SAME_VIEW}::interval`)
      .select("id")
      .executeTakeFirst()) !== undefined;
  if (await isRecorded(ctx.db)) return;
  const details: AuditDetails = conversationId ? { conversation: conversationId } : {};
  await inTransaction(ctx.db, async (tx) => {
    const view = ["view", ctx.user.id, action, personId, about.courseId, conversationId].join(" ");
    await sql`select pg_advisory_xact_lock(hashtextextended(${view}, 0))`.execute(tx);
    if (await isRecorded(tx)) return;
    await record(tx, ctx, { action, ...(personId && { people: [personId] }), ...about, details });
  });
}

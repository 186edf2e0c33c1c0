import { sql } from "kysely";
import { inBotScope } from "#server/chatbots/botRows.ts";
import { selectUsableBots } from "#server/chatbots/usableBots.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { bestMatchFirst, findElsewhere, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown } from "#server/core/database/measured.ts";
import { selectDocuments } from "#server/documents/documentRows.ts";
import { USER_SCOPE } from "#server/learners/learnerRows.ts";
import { best, isPersons, PERSON } from "#server/search/bestMatches.ts";
import type { User } from "#shared/core/users.ts";

// What admins find besides people, companies, courses and events: content of chatbots and data, conversations and views

const BOT = ["chatbots.name"];
export const findChatbots = ({ db, user }: Ctx<User>, q: string) =>
  best(
    db
      .selectFrom("chatbots")
      .where(inBotScope(user))
      .where(searchFor(q, BOT))
      .select(["id", "name", "status", sql<string | null>`null`.as("courseId")]),
    bestMatchFirst(q, BOT),
    sql`chatbots.status = 'archived'`,
    sql`lower(chatbots.name)`,
    sql`chatbots.id`,
  );

/** Published chatbots that a learner may use, by their published names. */
export const findUsableChatbots = ({ db, user }: Ctx<User>, q: string) =>
  best(
    selectUsableBots(db, user).where(searchFor(q, ["live.name"])),
    bestMatchFirst(q, ["live.name"]),
    sql`lower(live.name)`,
    sql`chatbots.id`,
  );

export const findDocuments = (ctx: Ctx<User>, q: string) =>
  best(
    selectDocuments(ctx)
      .where(searchFor(q, ["documents.title"]))
      .select(["id", "title", "folder", "status"]),
    bestMatchFirst(q, ["documents.title"]),
    sql`documents.status = 'archived'`,
    sql`lower(documents.title)`,
    sql`documents.id`,
  );

const PROMPT = ["prompts.name", "prompts.key"];
/** Prompts, buttons and variables belong to the academy: every admin sees all of them. */
export const findPrompts = ({ db }: Ctx<User>, q: string) =>
  best(
    db.selectFrom("prompts").where(searchFor(q, PROMPT)).select(["id", "name", "key", "status"]),
    bestMatchFirst(q, PROMPT),
    sql`prompts.status = 'archived'`,
    sql`lower(prompts.name)`,
    sql`prompts.id`,
  );

const BUTTON = ["buttonPrompts.label", "buttonPrompts.key"];
export const findButtonPrompts = ({ db }: Ctx<User>, q: string) =>
  best(
    db.selectFrom("buttonPrompts").where(searchFor(q, BUTTON)).select(["id", "label", "key", "status"]),
    bestMatchFirst(q, BUTTON),
    sql`button_prompts.status = 'archived'`,
    sql`lower(button_prompts.label)`,
    sql`button_prompts.id`,
  );

const VARIABLE = ["variables.label", "variables.key"];
/** Leaves out keys that content has sent and nobody has defined. */
export const findVariables = ({ db }: Ctx<User>, q: string) =>
  best(
    db
      .selectFrom("variables")
      .where("status", "in", ["active", "archived"])
      .where(searchFor(q, VARIABLE))
      .select(["id", "label", "key", "status"]),
    bestMatchFirst(q, VARIABLE),
    sql`variables.status = 'archived'`,
    sql`lower(variables.label)`,
    sql`variables.id`,
  );

/** Maximum number of people whose names contain a word, and of the newest conversations, which are ranked. */
const MAX_PEOPLE = 1000;
const MAX_RANKED = 200;

/**
 * Conversations by title and learner, as their list searches them; never by messages. Previews are left out. Learners
 * find their own.
 */
export async function findConversations({ db, user }: Ctx<User>, q: string) {
  const people = await findElsewhere(q, ["conversations.userId"], (word) =>
    db.selectFrom("users").where(inScope(user, USER_SCOPE)).where(isPersons(word)).limit(MAX_PEOPLE).select("id"),
  );
  const newest = db
    .selectFrom("conversations")
    .where(inScope(user, { company: "conversations.companyId", person: "conversations.userId" }))
    .where(isShown(user, "conversations", "conversations.companyId"))
    .where("questions", ">", 0)
    .where("isPreview", "=", false)
    .where(searchFor(q, ["conversations.title"], people))
    .orderBy("lastAt", "desc")
    .limit(MAX_RANKED)
    .select(["id", "title", "userId", "chatbotId", "lastAt"]);
  return best(
    db
      .selectFrom(newest.as("conversations"))
      .innerJoin("chatbots", "chatbots.id", "conversations.chatbotId")
      .leftJoin("users", "users.id", "conversations.userId")
      .select(["conversations.id", "conversations.title", "conversations.lastAt", "chatbots.name as chatbot"])
      .select(sql<string | null>`coalesce(nullif(users.name, ''), users.email)`.as("person")),
    bestMatchFirst(q, ["conversations.title", ...PERSON]),
    sql`conversations.last_at desc`,
    sql`conversations.id`,
  );
}

/** The admin's own views, and shared views of other admins. */
export const findViews = ({ db, user }: Ctx<User>, q: string) =>
  best(
    db
      .selectFrom("savedViews")
      .innerJoin("users as owner", "owner.id", "savedViews.ownerId")
      .where(inScope(user, { company: "savedViews.companyId" }))
      .where((e) => e.or([e("ownerId", "=", user.id), e("isShared", "=", true)]))
      .where(searchFor(q, ["savedViews.name"]))
      .select(["savedViews.id", "savedViews.name", "path", "query"])
      .select(sql<string>`coalesce(nullif(owner.name, ''), owner.email)`.as("owner"))
      .select((e) => e("ownerId", "=", user.id).$castTo<boolean>().as("isMine")),
    bestMatchFirst(q, ["savedViews.name"]),
    sql`saved_views.owner_id <> ${user.id}`,
    sql`lower(saved_views.name)`,
    sql`saved_views.id`,
  );

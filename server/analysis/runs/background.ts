import { sql } from "kysely";
import { isOwnWords } from "#server/analysis/ownWords.ts";
import { readNames } from "#server/connectors/nameCache.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isShown } from "#server/core/database/measured.ts";
import type { User } from "#shared/core/users.ts";

// What an analysis needs besides its conversations, to find what is typical of them

/** The newest conversations with other chatbots that an analysis is compared with. */
const COMPARED = 500;
const MAX_MESSAGES = 5000;
const READ_CHARS = 1000;
/** The people without a company whose names are known. */
const MAX_STAFF = 5000;

type Said = { conversationId: string; person: string; text: string };

/** What people said in their own words to chatbots that an analysis is not about. Empty if there are none in scope. */
export async function readBackground({ db, user }: Ctx<User>, ids: string[]): Promise<Said[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Said>`
    with compared as (
      select conversations.id, conversations.last_at
      from conversations
      where not is_preview
        and questions > 0
        and chatbot_id not in (
          select chatbot_id
          from conversations
          where ${isOneOf("id", ids)}
        )
        and ${inScope(user, { company: "conversations.companyId", person: "conversations.userId" })}
        and ${isShown(user, "conversations", "conversations.companyId")}
      order by last_at desc, conversations.id desc
      limit ${COMPARED}
    )
    select compared.id as conversation_id, '' as person, message.text
    from compared
    cross join lateral (
      select left(turns.text, ${READ_CHARS}) as text
      from turns
      where turns.conversation_id = compared.id
        and turns.role = 'user'
        and ${isOwnWords}
      offset 0
    ) message
    order by compared.last_at desc
    limit ${MAX_MESSAGES}`.execute(db);
  return rows;
}

/**
 * A test whether a lower-case word is part of the name of an admin, or of a person in the companies of these
 * conversations.
 */
export async function readNameTest(ctx: Ctx<User>, ids: string[]) {
  if (ids.length === 0) return () => false;
  const companies = await ctx.db
    .selectFrom("conversations")
    .where(isOneOf("id", ids))
    .where("companyId", "is not", null)
    .select("companyId")
    .distinct()
    .execute();
  const companyIds = companies.flatMap(({ companyId }) => companyId ?? []);
  const parts = companyIds.length > 0 ? (await readNames(ctx, companyIds)).parts : null;
  const staff = await ctx.db
    .selectFrom("users")
    .where("role", "=", "admin")
    .select("name")
    .orderBy("id")
    .limit(MAX_STAFF)
    .execute();
  const own = new Set(staff.flatMap(({ name }) => name.toLowerCase().match(/[\p{L}\p{M}]{3,}/gu) ?? []));
  return (word: string) => own.has(word) || (parts?.has(word) ?? false);
}

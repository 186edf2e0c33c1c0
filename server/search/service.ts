import { sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { bestMatchFirst, isOneOf, searchFor, splitWords } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { selectOwnCourses } from "#server/courses/myCourses.ts";
import { EVENT_SCOPE } from "#server/events/eventChanges.ts";
import { isListedFor } from "#server/events/public/visibility.ts";
import { USER_SCOPE } from "#server/learners/learnerRows.ts";
import { best, isPersons, PERSON } from "#server/search/bestMatches.ts";
import {
  findButtonPrompts,
  findChatbots,
  findConversations,
  findDocuments,
  findPrompts,
  findUsableChatbots,
  findVariables,
  findViews,
} from "#server/search/contentSearch.ts";
import { canManageLearners } from "#shared/learners/learners.ts";
import type { SearchResults } from "#shared/search/search.ts";
import type { User } from "#shared/core/users.ts";

const nothing = { items: [], more: false };

/**
 * The best matches of every kind that the user may see. The queries run one after another: people search while they
 * type, and must not take a dozen connections at the same time.
 */
export async function searchEverything(ctx: Ctx<User>, q: string): Promise<SearchResults> {
  const isManager = canManageLearners(ctx.user);
  return {
    learners: isManager ? await findLearners(ctx, q) : nothing,
    companies: isManager ? await findCompanies(ctx, q) : nothing,
    courses: isManager ? await findCourses(ctx, q) : await findOwnCourses(ctx, q),
    events: await findEvents(ctx, q),
    chatbots: isManager ? await findChatbots(ctx, q) : await findUsableChatbots(ctx, q),
    conversations: await findConversations(ctx, q),
    documents: isManager ? await findDocuments(ctx, q) : nothing,
    prompts: isManager ? await findPrompts(ctx, q) : nothing,
    buttonPrompts: isManager ? await findButtonPrompts(ctx, q) : nothing,
    variables: isManager ? await findVariables(ctx, q) : nothing,
    views: isManager ? await findViews(ctx, q) : nothing,
  };
}

/**
 * Learners with every word in their name, email address or company, but at least one in their name or address: the name
 * of a company alone finds the company, not everybody in it.
 */
async function findLearners({ db, user }: Ctx<User>, q: string) {
  const words = splitWords(q);
  const byWord = words.map(async (word) => {
    const companies = db
      .selectFrom("companies")
      .where(inScope(user, { company: "companies.id" }))
      .where(searchFor(word, ["companies.name"]))
      .select("id");
    const ids = words.length > 1 ? (await companies.execute()).map(({ id }) => id) : [];
    // Ids instead of a subquery, so that the indexes on name, email and company cover the whole condition.
    return sql<boolean>`(${isPersons(word)} or ${isOneOf("users.companyId", ids)})`;
  });
  const conditions = await Promise.all(byWord);
  const isPerson = sql<boolean>`(${sql.join(words.map(isPersons), sql` or `)})`;
  return best(
    db
      .selectFrom("users")
      .innerJoin("companies", "companies.id", "users.companyId")
      .where("users.role", "=", "learner")
      .where(inScope(user, USER_SCOPE))
      .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
      .where(isPerson)
      .select(["users.id", "users.name", "users.email", "users.status", "companies.name as company"])
      .select(personnelNumber.as("personnelNumber")),
    bestMatchFirst(q, PERSON),
    sql`lower(coalesce(nullif(users.name, ''), users.email))`,
    sql`lower(users.email)`,
  );
}

const findCompanies = ({ db, user }: Ctx<User>, q: string) =>
  best(
    db
      .selectFrom("companies")
      .where(inScope(user, { company: "companies.id" }))
      .where(searchFor(q, ["companies.name", "companies.accessCode"]))
      .select(["id", "name", "accessCode", "color", "status"]),
    bestMatchFirst(q, ["companies.name", "companies.accessCode"]),
    sql`companies.status = 'archived'`,
    sql`lower(companies.name)`,
    sql`companies.id`,
  );

const COURSE = ["courses.title", "courses.code"];
const courseOrder = (q: string) => [
  bestMatchFirst(q, COURSE),
  sql`courses.status = 'archived'`,
  sql`lower(courses.title)`,
  sql`courses.id`,
];

const findCourses = ({ db }: Ctx<User>, q: string) =>
  best(
    db
      .selectFrom("courses")
      .where(searchFor(q, COURSE))
      .select(["id", "title", "code", "status", sql<string | null>`null`.as("companyId")]),
    ...courseOrder(q),
  );

const findOwnCourses = (ctx: Ctx<User>, q: string) =>
  best(
    selectOwnCourses(ctx.db, { userId: ctx.user.id, companyId: ctx.user.companyId })
      .where(searchFor(q, COURSE))
      .select(["courses.id", "courses.title", "courses.code", "courses.status", "enrolments.companyId"]),
    ...courseOrder(q),
  );

/** Events in the scope of an admin, in any state, or those listed for a learner; upcoming ones first. */
function findEvents({ db, user }: Ctx<User>, q: string) {
  const visible = canManageLearners(user) ? inScope(user, EVENT_SCOPE) : isListedFor(user);
  return best(
    db
      .selectFrom("events")
      .where(visible)
      .where(searchFor(q, ["events.search"]))
      .select(["id", "slug", "title", "startsAt", "timezone", "status"]),
    bestMatchFirst(q, ["events.title"]),
    sql`events.ends_at < now()`,
    sql`abs(extract(epoch from events.starts_at - now()))`,
    sql`events.id`,
  );
}

import { z } from "zod";
import { companyStatus } from "#shared/companies/companies.ts";
import { courseStatus } from "#shared/courses/courses.ts";
import { eventStatus } from "#shared/events/eventStates.ts";
import { defineContracts, get } from "#shared/core/route.ts";
import { isSignedIn, userStatus } from "#shared/core/users.ts";

// The search in the navigation bar: people, companies, courses and events by name, the best matches first

/** Maximum number of results per kind; `more`: there are others, which the list of that kind shows. */
export const SEARCH_LIMIT = 6;

const found = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item).max(SEARCH_LIMIT), more: z.boolean() });

/** Email and company distinguish people of the same name. */
export const foundLearner = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  status: userStatus,
});
export const foundCompany = z.object({
  id: z.uuid(),
  name: z.string(),
  accessCode: z.string(),
  color: z.string().nullable(),
  status: companyStatus,
});
/** `companyId`: the company through which a learner has the course; null for admins. */
export const foundCourse = z.object({
  id: z.uuid(),
  title: z.string(),
  code: z.string(),
  status: courseStatus,
  companyId: z.uuid().nullable(),
});
export const foundEvent = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  startsAt: z.string(),
  timezone: z.string(),
  status: eventStatus,
});

export const searchResults = z.object({
  learners: found(foundLearner),
  companies: found(foundCompany),
  courses: found(foundCourse),
  events: found(foundEvent),
});
export type SearchResults = z.infer<typeof searchResults>;
export type SearchKind = keyof SearchResults;

/** Who may search; what is found depends on the scope of the user. */
export const canSearch = isSignedIn;

export const search = defineContracts("search", {
  find: get("/api/search", {
    does: "Search people, companies, courses and events; learners find their own courses and the events they may see",
    query: z.object({ q: z.string().trim().min(1).max(200) }),
    reply: searchResults,
  }),
});

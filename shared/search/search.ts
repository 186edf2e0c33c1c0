import { z } from "zod";
import { botStatus } from "#shared/chatbots/chatbots.ts";
import { companyStatus } from "#shared/companies/companies.ts";
import { courseStatus } from "#shared/courses/courses.ts";
import { eventStatus } from "#shared/events/eventPhases.ts";
import { defineContracts, get } from "#shared/core/route.ts";
import { savedView } from "#shared/reports/views.ts";
import { isSignedIn, userStatus } from "#shared/core/users.ts";

// The search in the navigation bar: finds everything that has a page by its name, best matches first

/** Maximum number of results per kind; `more`: there are others, which the list of that kind shows. */
export const SEARCH_LIMIT = 6;

const found = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item).max(SEARCH_LIMIT), more: z.boolean() });

/** Email and company distinguish people of the same name. */
export const foundLearner = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
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

/** `courseId`: the course in which a learner uses the chatbot; null for admins, and for chatbots without a course. */
export const foundChatbot = z.object({
  id: z.uuid(),
  name: z.string(),
  status: botStatus,
  courseId: z.uuid().nullable(),
});
/** A conversation, found by its title. `person`: its learner; null for visitors. */
export const foundConversation = z.object({
  id: z.uuid(),
  title: z.string(),
  person: z.string().nullable(),
  chatbot: z.string(),
  lastAt: z.string(),
});
export const foundDocument = z.object({ id: z.uuid(), title: z.string(), folder: z.string(), status: z.string() });
export const foundPrompt = z.object({ id: z.uuid(), name: z.string(), key: z.string(), status: z.string() });
export const foundKey = z.object({ id: z.uuid(), label: z.string(), key: z.string(), status: z.string() });
/** A saved view of a list or a report. */
export const foundView = savedView.pick({ id: true, name: true, path: true, query: true, owner: true, isMine: true });

export const searchResults = z.object({
  learners: found(foundLearner),
  companies: found(foundCompany),
  courses: found(foundCourse),
  events: found(foundEvent),
  chatbots: found(foundChatbot),
  conversations: found(foundConversation),
  documents: found(foundDocument),
  prompts: found(foundPrompt),
  buttonPrompts: found(foundKey),
  variables: found(foundKey),
  views: found(foundView),
});
export type SearchResults = z.infer<typeof searchResults>;
export type SearchKind = keyof SearchResults;

/** Who may search; what is found depends on the scope of the user. */
export const canSearch = isSignedIn;

export const search = defineContracts("search", {
  find: get("/api/search", {
    does: "Search everything by name; learners find their own courses, and the events and chatbots open to them",
    query: z.object({ q: z.string().trim().min(1).max(200) }),
    reply: searchResults,
  }),
});

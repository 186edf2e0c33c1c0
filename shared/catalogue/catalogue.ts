import { z } from "zod";
import { offerTerms, offerWay, storedTerms } from "#shared/catalogue/terms.ts";
import { defineContracts, del, get, KIB, listQuery, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAdmin, isSignedIn, leadsPeople } from "#shared/core/users.ts";

// Courses that people of a company take or ask for themselves

/** People of an offer are counted up to this number. */
export const MAX_COUNTED = 1000;
/** The most offers of a company. */
export const MAX_OFFERS = 5000;
/** Courses to choose from in one reply. */
export const CHOICES = 20;
/** Parts of the outline, and requests of a manager, that a page shows. */
export const MAX_OUTLINE = 200;
export const MAX_TEAM_REQUESTS = 50;
/** Matches of a search that found nothing as typed. */
export const MAX_NEAREST = 20;

/**
 * `open`: waits for an answer. `waiting`: on the waiting list. `withdrawn`: by the person. `left`: took the course and
 * gave it back. `closed`: ended by the system.
 */
export const requestStatus = z.enum(["open", "waiting", "enrolled", "declined", "withdrawn", "left", "closed"]);
export type RequestStatus = z.infer<typeof requestStatus>;
/**
 * As it is shown. `taken`: an admin has withdrawn the course. `ended`: the person does not have it any more.
 * `takenOff`: an admin has taken the person off the waiting list.
 */
export const shownStatus = z.enum([...requestStatus.options, "taken", "ended", "takenOff"]);
export type ShownStatus = z.infer<typeof shownStatus>;
/** Why the system ended a request: the offer or person has gone, they have the course, or it was taken from them. */
export const closedReason = z.enum(["offer", "person", "has", "taken"]);

/** What a person can do now; `null`: nothing. */
export const joinWay = z.enum(["enrol", "ask", "wait"]);
export type JoinWay = z.infer<typeof joinWay>;

const price = { priceMinor: z.int().nullable(), currency: z.string().nullable() };

// Learners

const requiredCourse = z.object({ title: z.string(), isDone: z.boolean() });
export const catalogueCourse = z.object({
  /** The offer. */
  id: z.uuid(),
  courseId: z.uuid(),
  companyId: z.uuid(),
  title: z.string(),
  code: z.string(),
  summary: z.string(),
  minutes: z.int().nullable(),
  languages: z.array(z.string()),
  ...price,
  /** Free places; null for any number. */
  free: z.int().nullable(),
  /** The person has the course, by whatever reason. */
  isMine: z.boolean(),
  /** Their request or place on the waiting list, if it is not over. */
  status: requestStatus.nullable(),
  requires: z.array(requiredCourse),
  can: joinWay.nullable(),
});
export type CatalogueCourse = z.infer<typeof catalogueCourse>;

export const catalogueDetail = catalogueCourse.extend({
  outline: z.array(z.object({ title: z.string(), depth: z.int() })).max(MAX_OUTLINE),
  /** The number of people before this one on the waiting list. */
  before: z.int().nullable(),
  /** What was answered to the last request. */
  reason: z.string(),
  note: z.string(),
  /** Whether the person can give the course back: taken from here, not started. */
  canLeave: z.boolean(),
  /** Whether they keep the course then, because they have it another way too. */
  isKept: z.boolean(),
  /** An admin has taken the person off the waiting list. */
  isTakenOff: z.boolean(),
  /** An admin has withdrawn the course from the person. */
  isWithdrawn: z.boolean(),
  /** False for a course that is not in the catalogue any more, which only people who asked for it see. */
  isOffered: z.boolean(),
  /** The course is not published at present: requests stay, and end after a day. */
  isPaused: z.boolean(),
  way: offerWay,
  /** Why the last request ended, if the system ended it. */
  closed: closedReason.nullable(),
  /** Who answers requests: the manager, or an admin. */
  answers: z.enum(["manager", "admin"]),
});
export type CatalogueDetail = z.infer<typeof catalogueDetail>;

/** `short`: up to 30 minutes; `medium`: up to two hours. */
export const lengthFilter = z.enum(["short", "medium", "long"]);
export const SHORT_MINUTES = 30;
export const MEDIUM_MINUTES = 120;

const browse = listQuery.omit({ sort: true }).extend({
  size: z.coerce.number().int().min(1).max(60).default(24),
  language: z.string().max(40).optional(),
  length: lengthFilter.optional(),
  /** Only courses that one does not have. */
  notMine: z.stringbool().optional(),
  /** Only courses that one can take immediately. */
  startable: z.stringbool().optional(),
});

// Admins

export const offer = storedTerms.extend({
  id: z.uuid(),
  companyId: z.uuid(),
  courseId: z.uuid(),
  course: z.string(),
  code: z.string(),
  courseStatus: z.enum(["draft", "published", "archived"]),
  /** The titles of `requires`, in the same order. */
  requiredTitles: z.array(z.string()),
  /** Those of `requires` that are archived: nobody can complete them, so nobody has to. */
  archived: z.array(z.uuid()),
  /** Counted up to `MAX_COUNTED`. */
  enrolled: z.int(),
  open: z.int(),
  waiting: z.int(),
  /** Of an offer with places: those that people and open requests hold. */
  held: z.int(),
  version: z.int(),
});
export type Offer = z.infer<typeof offer>;

const choice = z.object({ id: z.uuid(), title: z.string(), code: z.string() });

export const catalogueRequest = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  personnelNumber: z.string().nullable(),
  courseId: z.uuid(),
  course: z.string(),
  status: shownStatus,
  note: z.string(),
  reason: z.string(),
  ...price,
  costCentre: z.string(),
  askedAt: z.string(),
  waitingSince: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  closed: closedReason.nullable(),
  /** Null: only admins can answer. */
  manager: z.string().nullable(),
});
export type CatalogueRequest = z.infer<typeof catalogueRequest>;

/** A request as the manager of the person sees it. */
export const teamRequest = catalogueRequest.pick({
  id: true,
  userId: true,
  name: true,
  email: true,
  personnelNumber: true,
  courseId: true,
  course: true,
  note: true,
  priceMinor: true,
  currency: true,
  costCentre: true,
  askedAt: true,
});
export type TeamRequest = z.infer<typeof teamRequest>;

const requestFilter = z.object({
  q: listQuery.shape.q,
  status: requestStatus.optional(),
  offerId: z.uuid().optional(),
  /** Only requests that no manager can answer. */
  unmanaged: z.stringbool().optional(),
});
/** The answer to a request. */
const decision = z
  .object({ approve: z.boolean(), reason: z.string().trim().max(500).default("") })
  .refine(({ approve, reason }) => approve || reason !== "", { error: "catalogue.noReason", path: ["reason"] });
export type Decision = z.infer<typeof decision>;

export const canManageCatalogue = isAdmin;
export const canBrowse = isSignedIn;
export const canDecideForTeam = leadsPeople;

export const catalogue = defineContracts("catalogue", {
  browse: get("/api/catalogue", {
    does: "List the courses that one can take or ask for; a search that finds nothing as typed lists the nearest",
    query: browse,
    reply: page(catalogueCourse).extend({
      /** Nothing matched as typed. */
      isNearest: z.boolean(),
      /** Languages of the whole catalogue. */
      languages: z.array(z.string()).max(200),
    }),
  }),
  get: get("/api/catalogue/:id", { does: "Get a course of the catalogue with its outline", reply: catalogueDetail }),
  join: post("/api/catalogue/:id/join", {
    maxBytes: 4 * KIB,
    does: "Enrol in a course, ask for it, or join its waiting list; 409 if that is not what the offer allows now",
    body: z.object({ as: joinWay, note: z.string().trim().max(500).default("") }),
    reply: catalogueDetail,
  }),
  withdraw: post("/api/catalogue/:id/withdraw", {
    maxBytes: KIB,
    does: "Withdraw one's request, or leave the waiting list",
    reply: catalogueDetail,
  }),
  leave: post("/api/catalogue/:id/leave", {
    maxBytes: KIB,
    does: "Give back a course that one took from the catalogue and has not started",
    reply: catalogueDetail,
  }),
  teamRequests: get("/api/team/requests", {
    does: "List the requests of one's people that wait for an answer, the oldest first",
    reply: page(teamRequest),
  }),
  decideForTeam: post("/api/team/requests/:id/decision", {
    maxBytes: 4 * KIB,
    does: "Approve or decline a request of one of one's people",
    body: decision,
  }),
  offers: get("/api/companies/:id/catalogue", {
    does: "List the courses that a company offers in its catalogue",
    query: listQuery.extend({ sort: sortBy("title").default("title") }),
    reply: page(offer),
  }),
  choices: get("/api/companies/:id/catalogue/choices", {
    does: "Search published courses by title; for an offer, those that the company does not offer yet",
    query: z.object({ q: listQuery.shape.q, isFor: z.enum(["offer", "prerequisite"]).default("offer") }),
    reply: z.object({ items: z.array(choice).max(CHOICES) }),
  }),
  create: post("/api/companies/:id/catalogue", {
    maxBytes: 4 * KIB,
    does: "Offer a course in the catalogue of a company",
    body: z.object({ courseId: z.uuid(), terms: offerTerms }),
    reply: offer,
  }),
  update: patch("/api/catalogue-offers/:id", {
    maxBytes: 4 * KIB,
    does: "Change an offer; 409 if it changed since `version`",
    body: z.object({ terms: offerTerms, version: z.int() }),
    reply: offer,
  }),
  remove: del("/api/catalogue-offers/:id", {
    does: "Take a course out of the catalogue; people keep it, and open requests are closed with an email",
  }),
  requests: get("/api/companies/:id/catalogue/requests", {
    does: "List the requests, waiting lists and enrolments of the catalogue of a company",
    query: listQuery.extend({ ...requestFilter.shape, sort: sortBy("asked").default("asked") }),
    reply: page(catalogueRequest),
  }),
  decide: post("/api/catalogue-requests/:id/decision", {
    maxBytes: 4 * KIB,
    does: "Approve or decline a request, or take a person off a waiting list",
    body: decision,
    reply: catalogueRequest,
  }),
  export: get("/api/companies/:id/catalogue/export", {
    does: "Export requests and enrolments with price and cost centre as CSV or XLSX; the header x-rows is their number",
    query: requestFilter.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: z.string(),
  }),
});

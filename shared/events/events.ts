import { z } from "zod";
import { day, wallTime } from "#shared/core/dates.ts";
import { duplicatePart, eventInput, timeZone } from "#shared/events/eventInput.ts";
import { attendanceMode, eventStatus } from "#shared/events/eventPhases.ts";
import { adminEvent, adminEventRow, publicEvent, publicEventRow } from "#shared/events/eventViews.ts";
import { defineContracts, changes, del, get, listQuery, page, patch, post, MIB } from "#shared/core/route.ts";
import { anyone, isAdmin } from "#shared/core/users.ts";

// Who may see and manage events, and the calls for it. Registrations: eventRegistrations.ts

export const canManageEvents = isAdmin;
export const canSeeEvents = anyone;

/** `next`: upcoming events first, soonest first, then past ones, latest first. */
export const eventSort = z.enum(["next", "startsAt", "-startsAt", "title", "-title", "confirmed", "-confirmed"]);
const adminList = listQuery.extend({
  status: eventStatus.optional(),
  when: z.enum(["upcoming", "past"]).optional(),
  sort: eventSort.default("next"),
});
const publicList = listQuery.extend({
  when: z.enum(["upcoming", "past"]).default("upcoming"),
  category: z.string().max(60).optional(),
  mode: attendanceMode.optional(),
  language: z.string().max(20).optional(),
  /** Days in the visitor's time zone, for the month view: from (included) and to (excluded). */
  from: day.optional(),
  to: day.optional(),
  timezone: timeZone.default("UTC"),
  /** Leaves out cancelled events. */
  takesPlace: z.stringbool().optional(),
});
/** The version on which the change is based; 409 if the event has changed since. */
const version = z.int().min(1);
const versionBody = z.object({ version });

export const events = defineContracts("events", {
  // Public
  list: get("/api/events", {
    does: "List public events",
    query: publicList,
    reply: page(publicEventRow).extend({ categories: z.array(z.string()), languages: z.array(z.string()) }),
  }),
  show: get("/api/events/:slug", {
    does: "Get a public event; a former slug returns `movedTo`",
    params: z.object({ slug: z.string().min(1).max(120) }),
    query: z.object({ code: z.string().trim().max(60).optional() }),
    reply: z.object({ event: publicEvent.nullable(), movedTo: z.string().nullable() }),
  }),

  // Organisers
  listAll: get("/api/admin/events", {
    does: "List events by status, with counts",
    query: adminList,
    reply: page(adminEventRow).extend({ byStatus: z.record(z.string(), z.int()) }),
  }),
  get: get("/api/admin/events/:id", { does: "Get an event with all its details", reply: adminEvent }),
  create: post("/api/admin/events", {
    maxBytes: 2 * MIB,
    does: "Create a draft; it gets the given `id` if that is not in use",
    body: eventInput.extend({ id: z.uuid().optional() }),
    reply: adminEvent,
  }),
  update: patch("/api/admin/events/:id", {
    maxBytes: 2 * MIB,
    does: "Change an event; 409 if it has changed since `version`",
    body: changes(eventInput).extend({ version, notify: z.boolean().default(true) }),
    reply: adminEvent,
  }),
  duplicate: post("/api/admin/events/:id/duplicate", {
    does: "Create a draft from parts of an event",
    body: z.object({
      title: z.string().trim().min(1).max(200),
      startsLocal: wallTime,
      with: z.array(duplicatePart),
    }),
    reply: adminEvent,
  }),
  publish: post("/api/admin/events/:id/publish", {
    does: "Publish an event, or undo its cancellation",
    body: versionBody,
    reply: adminEvent,
  }),
  unpublish: post("/api/admin/events/:id/unpublish", {
    does: "Return an event to draft; refused while anyone is registered",
    body: versionBody,
    reply: adminEvent,
  }),
  cancel: post("/api/admin/events/:id/cancel", {
    does: "Cancel an event with a reason and notify everyone registered",
    body: versionBody.extend({ reason: z.string().trim().min(1).max(1000) }),
    reply: adminEvent,
  }),
  archive: post("/api/admin/events/:id/archive", {
    does: "Remove a finished or cancelled event from the lists",
    body: versionBody,
    reply: adminEvent,
  }),
  remove: del("/api/admin/events/:id", { does: "Delete a draft" }),
});

/** Calendar feed of all public events (iCalendar, RFC 5545). */
export const CALENDAR_PATH = "/api/events.ics";
/** Calendar file of one event. */
export const eventCalendarPath = (slug: string) => `/api/events/${slug}/event.ics`;

import { z } from "zod";
import { namedZone } from "#shared/companies/companies.ts";
import type { ReportKind } from "#shared/reports/reportFigures.ts";
import { defineContracts, del, get, patch, post, put } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { isUuid } from "#shared/core/uuid.ts";

// Saved views: the address of a list or a report, including filters, under a name

const reportPath = /^\/(?:reports\/(company|course)|(learner)s\/report)\/([^/]+)$/;
const listPaths = ["/learners", "/courses", "/variables", "/admin/learner-data", "/reports/conversation-analytics"];

/** The company, course or learner of a report by the path of its page; null for any other page. */
export function reportOfPath(path: string) {
  const [, ofMany, ofOne, id] = reportPath.exec(path) ?? [];
  return isUuid(id) ? { kind: (ofMany ?? ofOne) as ReportKind, id } : null;
}
export const hasViews = (path: string) => listPaths.includes(path) || reportOfPath(path) !== null;
/** Only figures are sent by email, not lists of people. */
export const canBeMailed = (path: string) => reportOfPath(path) !== null;

/** Maximum number of views of one person. */
export const MAX_VIEWS = 200;

/** The sorted query of an address without the page numbers of its lists, so that the same filters are the same view. */
export function withoutPage(text: string) {
  const query = new URLSearchParams(text);
  const kept = [...query].filter(([key]) => !/(^|\.)page$/.test(key));
  const sorted = new URLSearchParams(kept);
  sorted.sort();
  return sorted.toString();
}

const viewPath = z.string().max(200).refine(hasViews, { error: "views.noPage" });
/** A view does not include the page number of a list. */
const viewQuery = z.string().max(2000).transform(withoutPage);
export const viewName = z.string().trim().min(1).max(80);
export const rhythm = z.enum(["weekly", "monthly"]);
export type Rhythm = z.infer<typeof rhythm>;

export const savedView = z.object({
  id: z.uuid(),
  version: z.int(),
  name: viewName,
  path: z.string(),
  query: z.string(),
  /** Offered to every admin who may see the page. */
  isShared: z.boolean(),
  isMine: z.boolean(),
  owner: z.string(),
  /** How often the reader gets its figures by email, and when next. */
  rhythm: rhythm.nullable(),
  nextAt: z.string().nullable(),
});
export type SavedView = z.infer<typeof savedView>;

export const canSaveViews = isAdmin;

export const views = defineContracts("views", {
  list: get("/api/views", {
    does: "List the own and the shared views, of one page by its path or of all, in order of their names",
    query: z.object({ path: viewPath.optional() }),
    reply: z.object({ items: z.array(savedView) }),
  }),
  create: post("/api/views", {
    does: "Save what a page shows under a name; 422 on `name` if the person has one of this name",
    body: z.object({ name: viewName, path: viewPath, query: viewQuery, isShared: z.boolean().default(false) }),
    reply: savedView,
  }),
  update: patch("/api/views/:id", {
    does: "Change an own view; 409 if it changed since `version`",
    body: z.object({
      version: z.int(),
      name: viewName.optional(),
      query: viewQuery.optional(),
      isShared: z.boolean().optional(),
    }),
    reply: savedView,
  }),
  remove: del("/api/views/:id", { does: "Delete an own view, and the emails with its figures" }),
  mail: put("/api/views/:id/mail", {
    does: "Choose how often one gets the figures of a report by email; null for never",
    body: z.object({ rhythm: rhythm.nullable(), zone: namedZone }),
    reply: savedView,
  }),
});

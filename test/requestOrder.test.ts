import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { start } from "#test/start.ts";

// What waits if the server has more to do than it can (server/core/limits). Every route has a priority: its contract or
// route names it, or it is derived.

const { app, content } = await start();
const routes = [
  ...app.priorities,
  ...[...content.priorities].map(([route, priority]) => [`content ${route}`, priority]),
];
const withPriority = (name: string) =>
  routes.flatMap(([route, priority]) => (priority === name && !route?.includes("HEAD ") ? [route] : [])).toSorted();

test("every route has a priority", () => {
  expect(routes.filter(([, priority]) => !["learning", "light", "page", "heavy"].includes(priority ?? ""))).toEqual([]);
  const unordered = listContracts().filter(({ method, path }) => !app.priorities.has(`${method} ${path}`));
  expect(unordered.map(({ path }) => path)).toEqual([]);
});

test("only launches, commits and what content reports never wait", () => {
  const reports = /^content (GET|PUT|POST|DELETE) \/xapi\//;
  const routes = withPriority("learning");
  expect(routes.filter((route) => !reports.test(route ?? ""))).toEqual([
    "POST /api/launch/:companyId/:courseId",
    "POST /api/sessions/:id/activities",
    "POST /api/sessions/:id/events",
    "content POST /activities/token",
    "content POST /commit/:id",
  ]);
  expect(routes).toContain("content PUT /xapi/statements");
});

test("exports, reports and analyses come last", () => {
  expect(withPriority("heavy")).toEqual([
    "DELETE /scim/v2/Groups/:id",
    "GET /api/admin/events/:id/registrations.csv",
    "GET /api/admin/events/:id/registrations.xlsx",
    "GET /api/analysis-runs/:id/comparison",
    "GET /api/audit-packs/:id/file",
    "GET /api/audits/:token",
    "GET /api/audits/:token/file",
    "GET /api/audits/:token/samples/:no",
    "GET /api/audits/:token/samples/:no/people/:key",
    "GET /api/certificates/:id/badge",
    "GET /api/certificates/:id/pdf",
    "GET /api/certificates/:id/proof",
    "GET /api/certificates/pictures/:hash",
    "GET /api/chatbots/:id/export",
    "GET /api/companies/:id/catalogue/export",
    "GET /api/companies/:id/compliance/export",
    "GET /api/companies/:id/measures/pdf",
    "GET /api/conversation-analytics",
    "GET /api/conversation-analytics/export",
    "GET /api/course-drafts/:id/comparison",
    "GET /api/course-drafts/:id/comparison/lesson",
    "GET /api/course-drafts/:id/export",
    "GET /api/courses/:id/packages/:packageId/check",
    "GET /api/courses/:id/packages/:packageId/seen",
    "GET /api/event-registrations/:token/export",
    "GET /api/exportUserData",
    "GET /api/groups/:id/export",
    "GET /api/imports/:id/rejected",
    "GET /api/issued-reports/pdf/:id",
    "GET /api/issuers/:id/heads.atom",
    "GET /api/issuers/:id/heads/:day",
    "GET /api/issuers/:id/heads/:day/timestamp",
    "GET /api/issuers/:id/status/:list",
    "GET /api/learners/export",
    "GET /api/learning-transcripts/:id/file",
    "GET /api/learning-transcripts/:id/pdf",
    "GET /api/reports/block-people/:id",
    "GET /api/reports/changes/:id",
    "GET /api/reports/export/:id",
    "GET /api/reports/figures/:id",
    "GET /api/reports/lesson-blocks/:id",
    "GET /api/reports/question-people/:id",
    "GET /api/reports/questions/:id",
    "GET /api/reports/scenarios/:id",
    "GET /api/team/compliance/export",
    "GET /api/team/people/export",
    "GET /api/variable-values/export",
    "GET /api/verify/:number/proof",
    "GET /scim/v2/Groups",
    "GET /scim/v2/Groups/:id",
    "GET /scim/v2/Users",
    "PATCH /scim/v2/Groups/:id",
    "POST /api/analysis-estimates",
    "POST /api/audits/:token/samples",
    "POST /api/companies/:id/provisioning/holds",
    "POST /api/companies/:id/reminder-plan/preview",
    "POST /api/companies/:id/requirements/preview",
    "POST /api/course-drafts/:id/copies",
    "POST /api/course-drafts/:id/import",
    "POST /api/course-drafts/:id/import-plan",
    "POST /api/course-drafts/:id/restores",
    "POST /api/courses/:courseId/certificate/sample",
    "POST /api/courses/:id/packages/:packageId/check",
    "POST /api/enrolment-rules/preview",
    "POST /api/enrolment-rules/preview/past",
    "POST /api/enrolment-rules/preview/people",
    "POST /api/groups/preview",
    "POST /api/lesson-restores/:id/undo",
    "POST /api/paths/:id/assign/preview",
    "POST /api/paths/:id/publish/preview",
    "POST /api/paths/:pathId/certificate/sample",
    "POST /api/reports/issue/:id",
    "POST /scim/v2/.search",
    "POST /scim/v2/Groups",
    "POST /scim/v2/Groups/.search",
    "POST /scim/v2/Users/.search",
    "PUT /scim/v2/Groups/:id",
  ]);
});

test("only what takes next to nothing, or has a queue of its own, does not wait", () => {
  // Files of the built pages.
  const built = /^GET \/(assets\/.*|[^/]+\.\w+)$/;
  expect(withPriority("light").filter((route) => !built.test(route ?? ""))).toEqual([
    "GET /*",
    "GET /.well-known/security.txt",
    "GET /api/academy/logo",
    "GET /api/companies/:id/logo",
    "GET /api/events/:slug/cover",
    "GET /api/events/:slug/photos/:speakerId",
    "GET /api/health",
    "GET /api/health/live",
    "GET /api/live",
    "GET /api/turns/:id/stream",
    "GET /v0/b/:bucket/o/*",
    "OPTIONS /xapi/*",
    "POST /api/auth/pin",
    "POST /api/auth/sign-in",
    "POST /api/auth/token",
    "content GET /activities/returned",
    "content GET /files/:grant/*",
    "content GET /lyceum.js",
    "content GET /media/:grant/:file",
    "content GET /play/:grant/",
    "content GET /recording-viewer/:grant/",
    "content GET /shell/:name",
    "content OPTIONS /xapi/*",
  ]);
});

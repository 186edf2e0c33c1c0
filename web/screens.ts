import type { Guard } from "#web/core/session/guardKinds.ts";

// Every route of the browser application: path, guards and page. Plain data, read by the router, the menu and the tests

export type Screen = {
  path: string;
  guards: Guard[];
  /**
   * File of the page below `web/`. A path without a page shows the not-found page after its guards, and is in no menu.
   */
  page?: string;
  /** Files below `web/` that the page loads for learners or for admins; the build plans chunks by them. */
  byRole?: { learner: string; admin: string };
  /**
   * `none`: the page fills the window. `bar`: only the navigation bar above it; `barOrFull`: for guests. By default bar
   * and, when signed in, sidebar.
   */
  layout?: "none" | "bar" | "barOrFull";
  /**
   * Without the providers of other pages, such as the query client, so that it loads faster. Not in the full layout.
   */
  light?: true;
  /** Rendered on the server for guests. Only for pages without private data in their URL. */
  ssr?: true;
};
const auth: Guard[] = ["auth"];
const admin: Guard[] = ["admin"];
const leads: Guard[] = ["auth", "leads"];
const authAdmin: Guard[] = ["auth", "admin"];
const guests: Guard[] = ["guests"];
const anyone: Guard[] = [];

const all = [
  { path: "/", guards: guests, page: "home/HomePage", ssr: true },
  { path: "/dashboard", guards: authAdmin, page: "reports/DashboardPage" },
  { path: "/events", guards: anyone, page: "events/public/EventsPage", ssr: true },
  { path: "/events/registration/:token", guards: anyone, page: "events/registration/SelfServicePage" },
  { path: "/events/:slug", guards: anyone, page: "events/public/EventPage", ssr: true },
  { path: "/events/:slug/register", guards: anyone, page: "events/registration/RegisterPage", ssr: true },
  { path: "/events/:slug/success", guards: anyone, page: "events/registration/SuccessPage" },
  { path: "/login", guards: guests, page: "auth/login/LoginPage", layout: "bar", light: true, ssr: true },
  { path: "/login/pin", guards: guests, page: "auth/pins/PinLoginPage", layout: "bar", light: true },
  { path: "/register", guards: guests, page: "auth/register/RegisterPage", layout: "bar", ssr: true },
  { path: "/forgot-password", guards: guests, page: "auth/login/LoginPage", layout: "bar", light: true, ssr: true },
  { path: "/reset-password", guards: anyone, page: "auth/login/ResetPasswordPage", layout: "barOrFull", light: true },
  { path: "/confirm-email", guards: anyone, page: "auth/register/ConfirmEmailPage", layout: "barOrFull", light: true },
  {
    path: "/confirm-new-email",
    guards: anyone,
    page: "auth/account/ConfirmNewEmailPage",
    layout: "barOrFull",
    light: true,
  },
  { path: "/account", guards: auth, page: "auth/account/AccountPage" },
  { path: "/courses", guards: auth, page: "courses/CoursesPage" },
  { path: "/courses/paths", guards: admin, page: "paths/PathsPage" },
  { path: "/courses/paths/:id", guards: admin, page: "paths/PathPage" },
  {
    path: "/courses/:id",
    guards: auth,
    page: "courses/CoursePage",
    byRole: { learner: "courses/learner/MyCourse", admin: "courses/admin/CourseAdmin" },
  },
  { path: "/courses/:id/completion", guards: admin, page: "completionRules/RulePage" },
  { path: "/courses/:id/packages/:packageId/check", guards: admin, page: "packageChecks/PackageCheckPage" },
  { path: "/courses/:id/edit", guards: admin, page: "lessons/author/EditCoursePage" },
  { path: "/courses/:id/versions", guards: admin, page: "lessons/author/versions/VersionsPage" },
  { path: "/courses/:id/unclear", guards: admin, page: "lessons/author/unclear/UnclearPage" },
  { path: "/courses/:id/preview", guards: admin, page: "lessons/author/preview/PreviewPage" },
  {
    path: "/certificates",
    guards: auth,
    page: "certificates/CertificatesPage",
    byRole: { learner: "certificates/OwnCertificates", admin: "certificates/IssuedCertificates" },
  },
  { path: "/verify", guards: anyone, page: "certificates/verify/VerifyPage", ssr: true },
  { path: "/verify/:number", guards: anyone, page: "certificates/verify/VerifyPage", ssr: true },
  { path: "/transcripts", guards: auth, page: "transcripts/TranscriptsPage" },
  { path: "/transcripts/:token", guards: anyone, page: "transcripts/SharedTranscriptPage" },
  { path: "/audits/:token", guards: anyone, page: "auditPacks/AuditPage" },
  { path: "/audits/:token/samples/:no", guards: anyone, page: "auditPacks/AuditPage" },
  { path: "/launch/:companyId/:courseId", guards: auth, page: "player/LaunchPage", layout: "none" },
  { path: "/today", guards: auth, page: "today/TodayPage" },
  { path: "/my-courses", guards: auth, page: "courses/learner/MyCoursesPage" },
  { path: "/catalogue", guards: auth, page: "catalogue/CataloguePage" },
  { path: "/catalogue/:id", guards: auth, page: "catalogue/CatalogueCoursePage" },
  { path: "/paths/:id", guards: auth, page: "courses/learner/paths/PathPage" },
  { path: "/team", guards: leads, page: "team/TeamPage" },
  { path: "/team/people", guards: leads, page: "team/TeamPeoplePage" },
  { path: "/team/compliance", guards: leads, page: "team/TeamCompliancePage" },
  { path: "/team/people/:id", guards: leads, page: "team/TeamMemberPage" },
  { path: "/enrolment-rules", guards: admin, page: "enrolmentRules/RulesPage" },
  { path: "/enrolment-rules/:id", guards: admin, page: "enrolmentRules/RulePage" },
  { path: "/companies", guards: authAdmin, page: "companies/CompaniesPage" },
  { path: "/companies/:id", guards: authAdmin, page: "companies/page/CompanyPage" },
  { path: "/companies/:id/compliance", guards: authAdmin, page: "requirements/CompliancePage" },
  { path: "/companies/:id/audit-packs", guards: authAdmin, page: "auditPacks/AuditPacksPage" },
  { path: "/companies/:id/audit-packs/:packId", guards: authAdmin, page: "auditPacks/AuditPacksPage" },
  { path: "/companies/:id/catalogue", guards: authAdmin, page: "catalogue/admin/OffersPage" },
  { path: "/companies/:id/reminders", guards: authAdmin, page: "reminders/RemindersPage" },
  { path: "/companies/:id/groups/:groupId", guards: authAdmin, page: "groups/GroupPage" },
  { path: "/learners", guards: admin, page: "learners/LearnersPage" },
  { path: "/learners/imports", guards: admin, page: "imports/ImportsPage" },
  { path: "/learners/imports/:id", guards: admin, page: "imports/ImportPage" },
  { path: "/variables", guards: admin, page: "variables/VariablesPage" },
  { path: "/variables/:id", guards: admin, page: "variables/VariablePage" },
  { path: "/learners/report/:id", guards: auth, page: "reports/LearnerReportPage" },
  { path: "/learners/outlook/:id", guards: auth, page: "outlook/OutlookPage" },
  { path: "/reports/company/:id", guards: admin, page: "reports/company/CompanyReportPage" },
  { path: "/reports/course/:id", guards: admin, page: "reports/course/CourseReportPage" },
  { path: "/reports/issued", guards: admin, page: "reports/issued/IssuedReportsPage" },
  { path: "/reports/session/replay/:id", guards: admin, page: "reports/replay/SessionReplayPage" },
  {
    path: "/reports/conversation/replay/:id",
    guards: admin,
    page: "reports/replay/conversation/ConversationReplayPage",
  },
  { path: "/admin/learner-data", guards: admin, page: "rawData/RawDataPage" },
  { path: "/admin/learner-data/statements", guards: admin, page: "statements/viewer/StatementsPage" },
  { path: "/admin/mails", guards: admin, page: "mails/MailsPage" },
  { path: "/admin/audit", guards: admin, page: "audit/AuditPage" },
  { path: "/admin/settings", guards: admin, page: "settings/SettingsPage" },
  { path: "/admin/chatbots", guards: admin, page: "chatbots/ChatbotsPage" },
  { path: "/admin/chatbots/create", guards: admin, page: "chatbots/ChatbotCreatePage" },
  { path: "/admin/chatbots/edit/:id", guards: admin, page: "chatbots/ChatbotEditPage" },
  { path: "/admin/connectors", guards: admin, page: "connectors/ConnectionsPage" },
  { path: "/admin/prompts", guards: admin, page: "prompts/PromptsPage" },
  { path: "/admin/prompts/:id", guards: admin, page: "prompts/PromptPage" },
  { path: "/admin/button-prompts", guards: admin, page: "prompts/ButtonPromptsPage" },
  { path: "/admin/delete-course-variables", guards: admin, page: "rawData/DeleteVariablesPage" },
  { path: "/admin/documents", guards: admin, page: "documents/DocumentsPage" },
  { path: "/admin/documents/:id", guards: admin, page: "documents/DocumentPage" },
  { path: "/admin/documents/:id/versions/:number", guards: admin, page: "documents/DocumentTextPage" },
  { path: "/admin/events", guards: admin, page: "events/organiser/AdminEventsPage" },
  { path: "/admin/events/create", guards: admin, page: "events/editor/EventCreatePage" },
  { path: "/admin/events/edit/:id", guards: admin, page: "events/editor/EventEditPage" },
  { path: "/admin/events/:id/registrations", guards: admin, page: "events/organiser/RegistrationsPage" },
  { path: "/admin/events/:id/check-in", guards: admin, page: "events/checkin/CheckInPage", layout: "none" },
  { path: "/reports/chatbots", guards: auth, page: "analysis/ReviewPage" },
  { path: "/chatbot/:id", guards: anyone, page: "conversations/ChatPage", layout: "none", light: true },
  { path: "/chatbot/:id/:courseId", guards: auth, page: "conversations/ChatPage", layout: "none", light: true },
  { path: "/analysis/chatbot", guards: admin, page: "analysis/RunsPage" },
  { path: "/reports/conversation-analytics", guards: admin, page: "analysis/figures/AnalyticsPage" },
  { path: "/unauthorized", guards: anyone, page: "core/layout/UnauthorizedPage" },
  { path: "/privacy-settings", guards: auth, page: "privacy/PrivacySettingsPage" },
  { path: "/privacy-policy", guards: anyone, page: "privacy/PrivacyPolicyPage", ssr: true },
  { path: "*", guards: anyone },
] as const satisfies Screen[];

/** Files of the layout below `web/`: the providers, and what pages with the full layout need in addition. */
export const providersFile = "core/layout/PageProviders.tsx";
export const layoutFiles = ["core/layout/Layout.tsx"];

/** A path as it is written above; links of the menu can lead only there. */
export type ScreenPath = (typeof all)[number]["path"];
export const screens: readonly Screen[] = all;

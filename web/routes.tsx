import type { ComponentType, ReactNode } from "react";
import { Suspense } from "react";
import type { DataRouter, DataRouteMatch, RouteObject } from "react-router";
import { BlankLayout } from "#web/core/layout/BlankLayout.tsx";
import { registerUploadHandler } from "#web/core/upload/uploadHandlers.ts";
import { type Guard, Guarded } from "#web/core/session/guards.tsx";
import type { Screens } from "#web/core/layout/menu.ts";
import { chunked } from "#web/core/rendering/chunked.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";

type Screen = {
  path: string;
  guards: Guard[];
  /** File of the page in this folder. Without one yet, the not-found page stands behind the guard, and no menu leads here. */
  page?: string;
  /** `none`: the page owns the whole window. `login`: the same, and it asks the server for nothing but the sign-in. */
  layout?: "none" | "login";
  /** The server draws it for guests, so that it is there before the application runs. Only pages without anything private in the address. */
  ssr?: true;
};
/** What a route says about its chunk: how to fetch it, and which source file it is (the server preloads what that became). */
export type Chunk = { fetch: () => Promise<unknown>; file: string; ssr?: true | undefined };

// Every route of the spec (section 2) with its guards

const auth: Guard[] = ["auth"];
const admin: Guard[] = ["admin"];
const authAdmin: Guard[] = ["auth", "admin"];
const guests: Guard[] = ["guests"];
const anyone: Guard[] = [];

const screens: Screen[] = [
  { path: "/", guards: guests, page: "home/HomePage", ssr: true },
  { path: "/dashboard", guards: authAdmin, page: "reports/DashboardPage" },
  { path: "/events", guards: anyone, page: "events/public/EventsPage", ssr: true },
  { path: "/events/registration/:token", guards: anyone, page: "events/registration/SelfServicePage" },
  { path: "/events/:slug", guards: anyone, page: "events/public/EventPage", ssr: true },
  { path: "/events/:slug/register", guards: anyone, page: "events/registration/RegisterPage", ssr: true },
  { path: "/events/:slug/success", guards: anyone, page: "events/registration/SuccessPage" },
  { path: "/login", guards: guests, page: "auth/login/LoginPage", layout: "login", ssr: true },
  { path: "/register", guards: guests, page: "auth/register/RegisterPage", layout: "none", ssr: true },
  { path: "/forgot-password", guards: guests, page: "auth/login/LoginPage", layout: "login", ssr: true },
  { path: "/reset-password", guards: anyone, page: "auth/login/ResetPasswordPage", layout: "login" },
  { path: "/confirm-email", guards: anyone, page: "auth/register/ConfirmEmailPage", layout: "login" },
  { path: "/account", guards: auth, page: "auth/account/AccountPage" },
  { path: "/courses", guards: auth, page: "courses/admin/CoursesPage" },
  { path: "/courses/:id", guards: auth, page: "courses/CoursePage" },
  { path: "/launch/:companyId/:courseId", guards: auth, page: "player/LaunchPage", layout: "none" },
  { path: "/my-courses", guards: auth, page: "courses/learner/MyCoursesPage" },
  { path: "/companies", guards: authAdmin, page: "companies/CompaniesPage" },
  { path: "/companies/:id", guards: authAdmin, page: "companies/page/CompanyPage" },
  { path: "/learners", guards: admin, page: "learners/LearnersPage" },
  { path: "/variables", guards: admin },
  { path: "/learners/report/:id", guards: auth, page: "reports/LearnerReportPage" },
  { path: "/reports/company/:id", guards: admin },
  { path: "/reports/course/:id", guards: admin },
  { path: "/reports/session/replay/:id", guards: admin },
  { path: "/admin/learner-data", guards: admin },
  { path: "/admin/mails", guards: admin, page: "mails/MailsPage" },
  { path: "/admin/audit", guards: admin, page: "audit/AuditPage" },
  { path: "/admin/settings", guards: admin, page: "settings/SettingsPage" },
  { path: "/admin/chatbots", guards: admin },
  { path: "/admin/chatbots/create", guards: admin },
  { path: "/admin/chatbots/edit/:id", guards: admin },
  { path: "/admin/connectors", guards: admin },
  { path: "/admin/prompts", guards: admin },
  { path: "/admin/button-prompts", guards: admin },
  { path: "/admin/delete-course-variables", guards: admin },
  { path: "/admin/documents", guards: admin },
  { path: "/admin/events", guards: admin, page: "events/organiser/AdminEventsPage" },
  { path: "/admin/events/create", guards: admin, page: "events/editor/EventCreatePage" },
  { path: "/admin/events/edit/:id", guards: admin, page: "events/editor/EventEditPage" },
  { path: "/admin/events/:id/registrations", guards: admin, page: "events/organiser/RegistrationsPage" },
  { path: "/admin/events/:id/check-in", guards: admin, page: "events/checkin/CheckInPage", layout: "none" },
  { path: "/chatbot/:id", guards: anyone, layout: "none" },
  { path: "/chatbot/:id/:courseId", guards: auth, layout: "none" },
  { path: "/reports/chatbots", guards: auth },
  { path: "/analysis/chatbot", guards: admin },
  { path: "/reports/conversation-analytics", guards: admin },
  { path: "/unauthorized", guards: anyone, page: "core/layout/UnauthorizedPage" },
  { path: "/privacy-settings", guards: auth, page: "privacy/PrivacySettingsPage" },
  { path: "/privacy-policy", guards: anyone, page: "privacy/PrivacyPolicyPage", ssr: true },
  { path: "*", guards: anyone },
];

// Pages, each in its own chunk

const files = import.meta.glob<Record<string, ComponentType>>("./*/**/*Page.tsx");

/** A page module exports one component whose name ends in `Page`. */
function screenPage(name: string, ssr?: true) {
  const load = files[`./${name}.tsx`];
  if (!load) throw new Error(`There is no page ${name}`);
  const Page = chunked(async () => {
    const [, page] = Object.entries(await load()).find(([exported]) => exported.endsWith("Page")) ?? [];
    if (!page) throw new Error('A page module must export a component whose name ends in "Page"');
    return page;
  });
  return { Page, chunk: { fetch: Page.fetch, file: `${name}.tsx`, ssr } satisfies Chunk };
}

const pages = new Map(screens.flatMap(({ path, page, ssr }) => (page ? [[path, screenPage(page, ssr)]] : [])));
const notFound = screenPage("core/layout/NotFoundPage");

const routeOf = ({ path, guards }: Screen): RouteObject => {
  const { Page, chunk } = pages.get(path) ?? notFound;
  return { element: <Guarded guards={guards} />, handle: chunk, children: [{ path, element: <Page /> }] };
};

/** What is built, by path: menus show nothing else, and fetch the page's chunk when a pointer comes near. */
const built: Screens = new Map([...pages].map(([path, { chunk }]) => [path, chunk.fetch]));

/** A screen without layout that has no page yet still shows the not-found page inside the layout. */
const frameOf = ({ layout, page }: Screen) => (page && layout) || "full";
const routesIn = (frame: ReturnType<typeof frameOf>) =>
  screens.filter((screen) => frameOf(screen) === frame).map(routeOf);

/** What becomes of uploaded files, on whatever page the person is when they have arrived. */
registerUploadHandler("package", { atOnce: 1, load: () => import("#web/courses/import/packageUpload.ts") });

/** Frames stay out of the first chunk: people who sign in need neither bar and sidebar nor lists yet. */
const Providers = chunked(() =>
  import("#web/core/layout/PageProviders.tsx").then(({ PageProviders }) => PageProviders),
);
const Layout = chunked(() => import("#web/core/layout/Layout.tsx").then(({ Layout }) => Layout));
const later = (frame: ReactNode) => <Suspense fallback={<PageSkeleton />}>{frame}</Suspense>;

export const routes: RouteObject[] = [
  { element: <BlankLayout />, children: routesIn("login") },
  {
    element: later(<Providers />),
    handle: { fetch: Providers.fetch, file: "core/layout/PageProviders.tsx" } satisfies Chunk,
    children: [
      { element: <BlankLayout />, children: routesIn("none") },
      {
        element: later(<Layout screens={built} />),
        handle: { fetch: Layout.fetch, file: "core/layout/Layout.tsx" } satisfies Chunk,
        children: routesIn("full"),
      },
    ],
  },
];

export const chunksOf = (matches: { route: { handle?: unknown } }[]) =>
  matches.flatMap(({ route }) => (route.handle ? [route.handle as Chunk] : []));

/** Frame and page of an address are fetched side by side, not one after the other. Resolves when the first are there. */
export function fetchChunks(router: DataRouter) {
  const fetch = (matches: DataRouteMatch[]) => Promise.allSettled(chunksOf(matches).map((chunk) => chunk.fetch()));
  router.subscribe(({ matches, navigation }) => void fetch((navigation.matches ?? matches) as DataRouteMatch[]));
  return fetch(router.state.matches as DataRouteMatch[]);
}

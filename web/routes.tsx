import type { ComponentType, ReactNode } from "react";
import { Suspense } from "react";
import type { DataRouter, DataRouteMatch, RouteObject } from "react-router";
import { BlankLayout } from "#web/core/layout/BlankLayout.tsx";
import { registerUploadHandler } from "#web/core/upload/uploadHandlers.ts";
import { type Guard, Guarded } from "#web/core/session/guards.tsx";
import type { Screens } from "#web/core/layout/menu.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";

type Screen = {
  path: string;
  guards: Guard[];
  /** File of the page below `web/`. A path without a page shows the not-found page after its guards, and is in no menu. */
  page?: string;
  /** `none`: the page fills the window. `login`: likewise, without the providers of signed-in pages. */
  layout?: "none" | "login";
  /** Rendered on the server for guests. Only for pages without private data in their URL. */
  ssr?: true;
};
/** The chunk of a route: how to load it, and its source file, from which the server derives the files to preload. */
export type Chunk = { preload: () => Promise<unknown>; file: string; ssr?: true | undefined };

// All routes with their guards

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
  { path: "/courses", guards: auth, page: "courses/CoursesPage" },
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

// Pages, each in a separate chunk

const files = import.meta.glob<Record<string, ComponentType>>("./*/**/*Page.tsx");

/** Loads a page module, which must export a component whose name ends in `Page`. */
function screenPage(name: string, ssr?: true) {
  const load = files[`./${name}.tsx`];
  if (!load) throw new Error(`There is no page ${name}`);
  const Page = lazyWithPreload(async () => {
    const [, page] = Object.entries(await load()).find(([exported]) => exported.endsWith("Page")) ?? [];
    if (!page) throw new Error('A page module must export a component whose name ends in "Page"');
    return page;
  });
  return { Page, chunk: { preload: Page.preload, file: `${name}.tsx`, ssr } satisfies Chunk };
}

const pages = new Map(screens.flatMap(({ path, page, ssr }) => (page ? [[path, screenPage(page, ssr)]] : [])));
const notFound = screenPage("core/layout/NotFoundPage");

const routeOf = ({ path, guards }: Screen): RouteObject => {
  const { Page, chunk } = pages.get(path) ?? notFound;
  return { element: <Guarded guards={guards} />, handle: chunk, children: [{ path, element: <Page /> }] };
};

/** Existing pages by path. Menus show only these, and preload a page when the pointer is over its link. */
const screenLoaders: Screens = new Map([...pages].map(([path, { chunk }]) => [path, chunk.preload]));

/** A path without a page shows the not-found page in the full layout. */
const layoutOf = ({ layout, page }: Screen) => (page && layout) || "full";
const routesWith = (layout: ReturnType<typeof layoutOf>) =>
  screens.filter((screen) => layoutOf(screen) === layout).map(routeOf);

/** What happens with uploaded files, independent of the page that is open when an upload is complete. */
registerUploadHandler("package", { atOnce: 1, load: () => import("#web/courses/import/packageUpload.ts") });

/** Layouts are not part of the first chunk, because the login page needs neither navigation bar nor sidebar. */
const Providers = lazyWithPreload(() =>
  import("#web/core/layout/PageProviders.tsx").then(({ PageProviders }) => PageProviders),
);
const Layout = lazyWithPreload(() => import("#web/core/layout/Layout.tsx").then(({ Layout }) => Layout));
const withSkeleton = (children: ReactNode) => <Suspense fallback={<PageSkeleton />}>{children}</Suspense>;

export const routes: RouteObject[] = [
  { element: <BlankLayout />, children: routesWith("login") },
  {
    element: withSkeleton(<Providers />),
    handle: { preload: Providers.preload, file: "core/layout/PageProviders.tsx" } satisfies Chunk,
    children: [
      { element: <BlankLayout />, children: routesWith("none") },
      {
        element: withSkeleton(<Layout screens={screenLoaders} />),
        handle: { preload: Layout.preload, file: "core/layout/Layout.tsx" } satisfies Chunk,
        children: routesWith("full"),
      },
    ],
  },
];

export const chunksOf = (matches: { route: { handle?: unknown } }[]) =>
  matches.flatMap(({ route }) => (route.handle ? [route.handle as Chunk] : []));

/** Loads layout and page of a route in parallel. Resolves when those of the current route are loaded. */
export function preloadChunks(router: DataRouter) {
  const preload = (matches: DataRouteMatch[]) => Promise.allSettled(chunksOf(matches).map((chunk) => chunk.preload()));
  router.subscribe(({ matches, navigation }) => void preload((navigation.matches ?? matches) as DataRouteMatch[]));
  return preload(router.state.matches as DataRouteMatch[]);
}

import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Bare } from '#web/core/Bare.tsx'
import { finishWith } from '#web/core/finishers.ts'
import { type Guard, Guarded } from '#web/core/guards.tsx'
import type { Screens } from '#web/core/menu.ts'
import { PageSkeleton } from '#web/core/PageSkeleton.tsx'

type Load = () => Promise<Record<string, ComponentType>>
type Screen = {
  path: string
  guards: Guard[]
  /** Without a page yet, the not-found page stands behind the guard, and no menu leads here. */
  load?: Load
  /** `none`: the page owns the whole window. `login`: the same, and it asks the server for nothing but the sign-in. */
  layout?: 'none' | 'login'
}

// Pages, each in its own chunk

const HomePage = () => import('#web/events/StartPage.tsx')
const NotFoundPage = () => import('#web/core/NotFoundPage.tsx')
const UnauthorizedPage = () => import('#web/core/UnauthorizedPage.tsx')
const LoginPage = () => import('#web/auth/LoginPage.tsx')
const AccountPage = () => import('#web/auth/AccountPage.tsx')
const ConfirmEmailPage = () => import('#web/auth/ConfirmEmailPage.tsx')
const ResetPasswordPage = () => import('#web/auth/ResetPasswordPage.tsx')
const RegisterPage = () => import('#web/auth/RegisterPage.tsx')
const DashboardPage = () => import('#web/reports/DashboardPage.tsx')
const LearnerReportPage = () => import('#web/reports/LearnerReportPage.tsx')
const CompaniesPage = () => import('#web/companies/CompaniesPage.tsx')
const CompanyPage = () => import('#web/companies/CompanyPage.tsx')
const LearnersPage = () => import('#web/learners/LearnersPage.tsx')
const CoursesPage = () => import('#web/courses/CoursesPage.tsx')
const CoursePage = () => import('#web/courses/CoursePage.tsx')
const MyCoursesPage = () => import('#web/courses/MyCoursesPage.tsx')
const LaunchPage = () => import('#web/player/LaunchPage.tsx')
const EventsPage = () => import('#web/events/EventsPage.tsx')
const EventPage = () => import('#web/events/EventPage.tsx')
const EventRegisterPage = () => import('#web/events/RegisterPage.tsx')
const EventSuccessPage = () => import('#web/events/SuccessPage.tsx')
const AdminEventsPage = () => import('#web/events/AdminEventsPage.tsx')
const EventCreatePage = () => import('#web/events/EventCreatePage.tsx')
const EventEditPage = () => import('#web/events/EventEditPage.tsx')
const EventRegistrationsPage = () => import('#web/events/RegistrationsPage.tsx')
const CheckInPage = () => import('#web/events/CheckInPage.tsx')
const OwnRegistrationPage = () => import('#web/events/OwnRegistrationPage.tsx')
const MailsPage = () => import('#web/mails/MailsPage.tsx')
const PrivacySettingsPage = () => import('#web/privacy/PrivacySettingsPage.tsx')
const PrivacyPolicyPage = () => import('#web/privacy/PrivacyPolicyPage.tsx')
const AuditPage = () => import('#web/audit/AuditPage.tsx')
const SettingsPage = () => import('#web/settings/SettingsPage.tsx')

// Every route of the spec (section 2) with its guards

const auth: Guard[] = ['auth']
const admin: Guard[] = ['admin']
const authAdmin: Guard[] = ['auth', 'admin']
const guests: Guard[] = ['guests']
const anyone: Guard[] = []

const screens: Screen[] = [
  { path: '/', guards: guests, load: HomePage },
  { path: '/dashboard', guards: authAdmin, load: DashboardPage },
  { path: '/events', guards: anyone, load: EventsPage },
  { path: '/events/registration/:token', guards: anyone, load: OwnRegistrationPage },
  { path: '/events/:slug', guards: anyone, load: EventPage },
  { path: '/events/:slug/register', guards: anyone, load: EventRegisterPage },
  { path: '/events/:slug/success', guards: anyone, load: EventSuccessPage },
  { path: '/login', guards: guests, load: LoginPage, layout: 'login' },
  { path: '/register', guards: guests, load: RegisterPage, layout: 'none' },
  { path: '/forgot-password', guards: guests, load: LoginPage, layout: 'login' },
  { path: '/reset-password', guards: anyone, load: ResetPasswordPage, layout: 'login' },
  { path: '/confirm-email', guards: anyone, load: ConfirmEmailPage, layout: 'login' },
  { path: '/account', guards: auth, load: AccountPage },
  { path: '/courses', guards: auth, load: CoursesPage },
  { path: '/courses/:id', guards: auth, load: CoursePage },
  { path: '/launch/:companyId/:courseId', guards: auth, load: LaunchPage, layout: 'none' },
  { path: '/my-courses', guards: auth, load: MyCoursesPage },
  { path: '/companies', guards: authAdmin, load: CompaniesPage },
  { path: '/companies/:id', guards: authAdmin, load: CompanyPage },
  { path: '/learners', guards: admin, load: LearnersPage },
  { path: '/variables', guards: admin },
  { path: '/learners/report/:id', guards: auth, load: LearnerReportPage },
  { path: '/reports/company/:id', guards: admin },
  { path: '/reports/course/:id', guards: admin },
  { path: '/reports/session/replay/:id', guards: admin },
  { path: '/admin/learner-data', guards: admin },
  { path: '/admin/mails', guards: admin, load: MailsPage },
  { path: '/admin/audit', guards: admin, load: AuditPage },
  { path: '/admin/settings', guards: admin, load: SettingsPage },
  { path: '/admin/chatbots', guards: admin },
  { path: '/admin/chatbots/create', guards: admin },
  { path: '/admin/chatbots/edit/:id', guards: admin },
  { path: '/admin/connectors', guards: admin },
  { path: '/admin/prompts', guards: admin },
  { path: '/admin/button-prompts', guards: admin },
  { path: '/admin/delete-course-variables', guards: admin },
  { path: '/admin/documents', guards: admin },
  { path: '/admin/events', guards: admin, load: AdminEventsPage },
  { path: '/admin/events/create', guards: admin, load: EventCreatePage },
  { path: '/admin/events/edit/:id', guards: admin, load: EventEditPage },
  { path: '/admin/events/:id/registrations', guards: admin, load: EventRegistrationsPage },
  { path: '/admin/events/:id/check-in', guards: admin, load: CheckInPage, layout: 'none' },
  { path: '/chatbot/:id', guards: anyone, layout: 'none' },
  { path: '/chatbot/:id/:courseId', guards: auth, layout: 'none' },
  { path: '/reports/chatbots', guards: auth },
  { path: '/analysis/chatbot', guards: admin },
  { path: '/reports/conversation-analytics', guards: admin },
  { path: '/unauthorized', guards: anyone, load: UnauthorizedPage },
  { path: '/privacy-settings', guards: auth, load: PrivacySettingsPage },
  { path: '/privacy-policy', guards: anyone, load: PrivacyPolicyPage },
  { path: '*', guards: anyone },
]

/** What is built, by path: menus show nothing else, and fetch the page's chunk when a pointer comes near. */
const built: Screens = new Map(screens.flatMap(({ path, load }) => (load ? [[path, load]] : [])))

/** A page module exports one component whose name ends in `Page`. */
const pageOf = (load: Load) =>
  lazy(async () => {
    const [, page] = Object.entries(await load()).find(([name]) => name.endsWith('Page')) ?? []
    if (!page) throw new Error('A page module must export a component whose name ends in "Page"')
    return { default: page }
  })

const routeOf = ({ path, guards, load }: Screen): RouteObject => {
  const Page = load ? pageOf(load) : NotFound
  return { element: <Guarded guards={guards} />, handle: load, children: [{ path, element: <Page /> }] }
}

const NotFound = pageOf(NotFoundPage)

/** A screen without layout that has no page yet still shows the not-found page inside the layout. */
const frameOf = ({ layout, load }: Screen) => (load && layout) || 'full'
const routesIn = (frame: ReturnType<typeof frameOf>) => screens.filter((screen) => frameOf(screen) === frame).map(routeOf)

/** What becomes of uploaded files, on whatever page the person is when they have arrived. */
finishWith('package', { atOnce: 1, load: () => import('#web/courses/packageUpload.ts') })

/** Frames stay out of the first chunk: people who sign in need neither bar and sidebar nor lists yet. */
const loadData = () => import('#web/core/Data.tsx')
const loadLayout = () => import('#web/core/Layout.tsx')
const Data = lazy(() => loadData().then(({ Data }) => ({ default: Data })))
const Layout = lazy(() => loadLayout().then(({ Layout }) => ({ default: Layout })))
const later = (frame: ReactNode) => <Suspense fallback={<PageSkeleton />}>{frame}</Suspense>

export const router = createBrowserRouter([
  { element: <Bare />, children: routesIn('login') },
  {
    element: later(<Data />),
    handle: loadData,
    children: [
      { element: <Bare />, children: routesIn('none') },
      { element: later(<Layout screens={built} />), handle: loadLayout, children: routesIn('full') },
    ],
  },
])

/** Frame and page of an address are fetched side by side, not one after the other. */
const fetchChunks = (matches: { route: RouteObject }[]) =>
  matches.forEach(({ route }) => void (route.handle as Load | undefined)?.().catch(() => {}))
fetchChunks(router.state.matches)
router.subscribe(({ matches, navigation }) => fetchChunks(navigation.matches ?? matches))

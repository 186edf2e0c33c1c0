import * as icons from "@tabler/icons-react";
import type { ParseKeys } from "i18next";
import type english from "#shared/locales/en/web.json";
import { leadsPeople, type Policy, type Role, type User } from "#shared/core/users.ts";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { type ScreenPath, screens as allScreens } from "#web/screens.ts";

type Group = keyof typeof english.menu.groups;
type Entry = {
  label: ParseKeys;
  path: ScreenPath;
  icon: icons.Icon;
  /** Who sees the entry; by default everyone whom the guards of its path admit. */
  roles?: Role[];
  /** Whether one of them sees it; by default each does. */
  isFor?: Policy;
  /** Further pages of the entry, whose path does not start with its own. */
  covers?: ScreenPath[];
};

const admin: Role[] = ["admin"];
const learner: Role[] = ["learner"];
const everyone: Role[] = ["admin", "learner"];

/** The entries of the sidebar by group, in order. Entries whose path has no page in web/screens.ts are hidden. */
export const menu: Record<Group, Entry[]> = {
  overview: [{ label: "reports.menuEntries.dashboard", path: "/dashboard", icon: icons.IconLayoutDashboard }],
  team: [
    { label: "team.menuEntries.team", path: "/team", icon: icons.IconSitemap, roles: learner, isFor: leadsPeople },
    {
      label: "team.menuEntries.people",
      path: "/team/people",
      icon: icons.IconUsers,
      roles: learner,
      isFor: leadsPeople,
    },
  ],
  learning: [
    { label: "today.menuEntries.today", path: "/today", icon: icons.IconHome, roles: learner },
    {
      label: "courses.menuEntries.myCourses",
      path: "/my-courses",
      icon: icons.IconBooks,
      roles: learner,
      covers: ["/certificates", "/transcripts", "/paths/:id"],
    },
    { label: "catalogue.menuEntries.catalogue", path: "/catalogue", icon: icons.IconCompass, roles: learner },
    {
      label: "courses.menuEntries.courses",
      path: "/courses",
      icon: icons.IconBooks,
      roles: admin,
      covers: ["/certificates"],
    },
    { label: "enrolmentRules.menuEntries.rules", path: "/enrolment-rules", icon: icons.IconListCheck },
    { label: "companies.menuEntries.companies", path: "/companies", icon: icons.IconBuilding },
    { label: "learners.menuEntries.learners", path: "/learners", icon: icons.IconUsers },
  ],
  ai: [
    { label: "chatbots.menuEntries.chatbots", path: "/admin/chatbots", icon: icons.IconMessageChatbot },
    {
      label: "prompts.menuEntries.prompts",
      path: "/admin/prompts",
      icon: icons.IconQuote,
      covers: ["/admin/button-prompts"],
    },
    { label: "connectors.menuEntries.connections", path: "/admin/connectors", icon: icons.IconPlugConnected },
    { label: "documents.menuEntries.documents", path: "/admin/documents", icon: icons.IconFileText },
  ],
  conversations: [
    { label: "analysis.menuEntries.chatbotAnalysis", path: "/analysis/chatbot", icon: icons.IconZoomQuestion },
    {
      label: "analysis.menuEntries.analytics",
      path: "/reports/conversation-analytics",
      icon: icons.IconChartHistogram,
    },
    {
      label: "conversations.menuEntries.conversations",
      path: "/reports/chatbots",
      icon: icons.IconMessages,
      roles: admin,
    },
  ],
  results: [
    {
      label: "conversations.menuEntries.conversations",
      path: "/reports/chatbots",
      icon: icons.IconMessages,
      roles: learner,
    },
  ],
  events: [{ label: "events.menuEntries.events", path: "/admin/events", icon: icons.IconCalendarEvent }],
  data: [
    {
      label: "variables.menuEntries.variables",
      path: "/variables",
      icon: icons.IconVariable,
      covers: ["/admin/delete-course-variables"],
    },
    { label: "rawData.menuEntries.rawData", path: "/admin/learner-data", icon: icons.IconTable },
  ],
  administration: [
    { label: "mails.menuEntries.outbox", path: "/admin/mails", icon: icons.IconMail },
    { label: "audit.menuEntries.auditLog", path: "/admin/audit", icon: icons.IconHistory },
    { label: "settings.menuEntries.settings", path: "/admin/settings", icon: icons.IconSettings },
  ],
};

const rolesOf = ({ roles, path }: Entry) =>
  roles ?? (allScreens.find((screen) => screen.path === path)?.guards.includes("admin") ? admin : everyone);

/** The visible entries of a user, in groups. */
export function menuGroupsFor(user: User, screens: Screens) {
  const isVisible = (entry: Entry) =>
    rolesOf(entry).includes(user.role) && (entry.isFor?.(user) ?? true) && screens.has(entry.path);
  return (Object.entries(menu) as [Group, Entry[]][])
    .map(([group, entries]) => [group, entries.filter(isVisible)] as const)
    .filter(([, entries]) => entries.length > 0);
}

/** The path of the current menu entry of a role: the one with the longest path that this one starts with. */
export function currentPath(pathname: string, role: Role) {
  const starts = Object.values(menu).flatMap((entries) =>
    entries
      .filter((entry) => rolesOf(entry).includes(role))
      .flatMap(({ path, covers = [] }) =>
        [path, ...covers].map((start) => ({ path, start: start.replace(/\/:.*$/, "") })),
      ),
  );
  const matches = starts.filter(({ start }) => pathname === start || pathname.startsWith(`${start}/`));
  return matches.toSorted((a, b) => b.start.length - a.start.length)[0]?.path;
}

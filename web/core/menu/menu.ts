import * as icons from "@tabler/icons-react";
import type { ParseKeys } from "i18next";
import type english from "#shared/locales/en/web.json";
import type { Role } from "#shared/core/users.ts";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { type ScreenPath, screens as allScreens } from "#web/screens.ts";

type Group = keyof typeof english.menu.groups;
type Entry = {
  label: ParseKeys;
  path: ScreenPath;
  icon: icons.Icon;
  /** Who sees the entry; by default everyone whom the guards of its path admit. */
  roles?: Role[];
  /** Further pages of the entry, whose path does not start with its own. */
  covers?: ScreenPath[];
};

const admin: Role[] = ["admin"];
const learner: Role[] = ["learner"];
const everyone: Role[] = ["admin", "learner"];

/** The entries of the sidebar by group, in order. Entries whose path has no page in web/screens.ts are hidden. */
export const menu: Record<Group, Entry[]> = {
  overview: [{ label: "web.menu.entries.dashboard", path: "/dashboard", icon: icons.IconLayoutDashboard }],
  learning: [
    { label: "web.menu.entries.myCourses", path: "/my-courses", icon: icons.IconBooks, roles: learner },
    { label: "web.menu.entries.courses", path: "/courses", icon: icons.IconBooks, roles: admin },
    { label: "web.menu.entries.companies", path: "/companies", icon: icons.IconBuilding },
    { label: "web.menu.entries.learners", path: "/learners", icon: icons.IconUsers },
  ],
  ai: [
    { label: "web.menu.entries.chatbots", path: "/admin/chatbots", icon: icons.IconMessageChatbot },
    {
      label: "web.menu.entries.prompts",
      path: "/admin/prompts",
      icon: icons.IconQuote,
      covers: ["/admin/button-prompts"],
    },
    { label: "web.menu.entries.connections", path: "/admin/connectors", icon: icons.IconPlugConnected },
    { label: "web.menu.entries.documents", path: "/admin/documents", icon: icons.IconFileText },
    { label: "web.menu.entries.chatbotAnalysis", path: "/analysis/chatbot", icon: icons.IconZoomQuestion },
    { label: "web.menu.entries.analytics", path: "/reports/conversation-analytics", icon: icons.IconChartHistogram },
    { label: "web.menu.entries.conversations", path: "/reports/chatbots", icon: icons.IconMessages, roles: admin },
  ],
  results: [
    { label: "web.menu.entries.conversations", path: "/reports/chatbots", icon: icons.IconMessages, roles: learner },
  ],
  events: [{ label: "web.menu.entries.events", path: "/admin/events", icon: icons.IconCalendarEvent }],
  data: [
    {
      label: "web.menu.entries.variables",
      path: "/variables",
      icon: icons.IconVariable,
      covers: ["/admin/delete-course-variables"],
    },
    { label: "web.menu.entries.rawData", path: "/admin/learner-data", icon: icons.IconTable },
    { label: "web.menu.entries.outbox", path: "/admin/mails", icon: icons.IconMail },
    { label: "web.menu.entries.audit", path: "/admin/audit", icon: icons.IconHistory },
    { label: "web.menu.entries.settings", path: "/admin/settings", icon: icons.IconSettings },
  ],
};

const rolesOf = ({ roles, path }: Entry) =>
  roles ?? (allScreens.find((screen) => screen.path === path)?.guards.includes("admin") ? admin : everyone);

/** The visible entries of a role, in groups. */
export function menuGroupsFor(role: Role, screens: Screens) {
  const isVisible = (entry: Entry) => rolesOf(entry).includes(role) && screens.has(entry.path);
  return (Object.entries(menu) as [Group, Entry[]][])
    .map(([group, entries]) => [group, entries.filter(isVisible)] as const)
    .filter(([, entries]) => entries.length > 0);
}

/** The path of the current menu entry: the one with the longest path that this one starts with. */
export function currentPath(pathname: string) {
  const starts = Object.values(menu).flatMap((entries) =>
    entries.flatMap(({ path, covers = [] }) => [path, ...covers].map((start) => ({ path, start }))),
  );
  const matches = starts.filter(({ start }) => pathname === start || pathname.startsWith(`${start}/`));
  return matches.toSorted((a, b) => b.start.length - a.start.length)[0]?.path;
}

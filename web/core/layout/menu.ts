import {
  IconBooks,
  IconBuilding,
  IconCalendarEvent,
  IconChartHistogram,
  IconFileText,
  IconLayoutDashboard,
  IconMail,
  IconHistory,
  IconMessageChatbot,
  IconMessages,
  IconPlugConnected,
  IconQuote,
  IconSettings,
  IconTable,
  IconUsers,
  IconVariable,
  IconZoomQuestion,
  type Icon,
} from "@tabler/icons-react";
import type english from "#shared/locales/en/web.json";
import type { Role } from "#shared/users.ts";

/** Existing pages by path, with the function that preloads them. */
export type Screens = ReadonlyMap<string, () => Promise<unknown>>;

type Group = keyof typeof english.menu.groups;
type Entry = { label: keyof typeof english.menu.entries; path: string; icon: Icon; roles: Role[]; group: Group };

const admin: Role[] = ["admin"];
const everyone: Role[] = ["admin", "learner"];

/** The entries of the sidebar, in order. Entries whose path has no page in routes.tsx are hidden. */
export const menu: Entry[] = [
  { label: "dashboard", path: "/dashboard", icon: IconLayoutDashboard, roles: admin, group: "overview" },
  { label: "myCourses", path: "/my-courses", icon: IconBooks, roles: ["learner"], group: "learning" },
  { label: "courses", path: "/courses", icon: IconBooks, roles: admin, group: "learning" },
  { label: "companies", path: "/companies", icon: IconBuilding, roles: admin, group: "learning" },
  { label: "learners", path: "/learners", icon: IconUsers, roles: admin, group: "learning" },
  { label: "chatbots", path: "/admin/chatbots", icon: IconMessageChatbot, roles: admin, group: "ai" },
  { label: "prompts", path: "/admin/prompts", icon: IconQuote, roles: admin, group: "ai" },
  { label: "connections", path: "/admin/connectors", icon: IconPlugConnected, roles: admin, group: "ai" },
  { label: "documents", path: "/admin/documents", icon: IconFileText, roles: admin, group: "ai" },
  { label: "chatbotAnalysis", path: "/analysis/chatbot", icon: IconZoomQuestion, roles: admin, group: "ai" },
  { label: "analytics", path: "/reports/conversation-analytics", icon: IconChartHistogram, roles: admin, group: "ai" },
  { label: "conversations", path: "/reports/chatbots", icon: IconMessages, roles: admin, group: "ai" },
  { label: "conversations", path: "/reports/chatbots", icon: IconMessages, roles: ["learner"], group: "results" },
  { label: "events", path: "/admin/events", icon: IconCalendarEvent, roles: admin, group: "events" },
  { label: "variables", path: "/variables", icon: IconVariable, roles: admin, group: "data" },
  { label: "rawData", path: "/admin/learner-data", icon: IconTable, roles: admin, group: "data" },
  { label: "outbox", path: "/admin/mails", icon: IconMail, roles: admin, group: "data" },
  { label: "audit", path: "/admin/audit", icon: IconHistory, roles: admin, group: "data" },
  { label: "settings", path: "/admin/settings", icon: IconSettings, roles: admin, group: "data" },
];

/** Links of the navigation bar besides the product title; the target of Courses depends on the role. */
export const barLinks: { label: Entry["label"]; path: string; roles: (Role | "guest")[] }[] = [
  { label: "events", path: "/events", roles: ["guest", ...everyone] },
  { label: "courses", path: "/courses", roles: admin },
  { label: "courses", path: "/my-courses", roles: ["learner"] },
];

/** The visible entries of a role, in groups. */
export function menuGroupsFor(role: Role, screens: Screens) {
  const visible = menu.filter(({ roles, path }) => roles.includes(role) && screens.has(path));
  return [...Map.groupBy(visible, ({ group }) => group)];
}

/** The path of the current menu entry: the longest one that the path starts with. */
export function currentPath(pathname: string) {
  const matches = menu.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  return matches.toSorted((a, b) => b.path.length - a.path.length)[0]?.path;
}

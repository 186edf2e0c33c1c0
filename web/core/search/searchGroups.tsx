import {
  IconBook2,
  IconCalendarEvent,
  IconList,
  IconSettings,
  IconShieldLock,
  IconUserCircle,
} from "@tabler/icons-react";
import type { ParseKeys, TFunction } from "i18next";
import { CompanyMark } from "#web/core/brand/CompanyMark.tsx";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { formatDateIn } from "#web/core/format/format.ts";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { menuGroupsFor } from "#web/core/menu/menu.ts";
import { contentOptions, reportOptions } from "#web/core/search/contentOptions.tsx";
import type { SearchOption } from "#web/core/search/searchOption.ts";
import { integrationKinds, settingsTabs } from "#web/core/menu/settingsTabs.ts";
import { formatCode } from "#shared/companies/companies.ts";
import type { SearchKind, SearchResults } from "#shared/search/search.ts";
import { isAdmin, type User } from "#shared/core/users.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

/** Saved views are among the reports. */
type GroupKind = Exclude<SearchKind, "views"> | "pages" | "reports";
export type SearchGroup = { kind: GroupKind; options: SearchOption[] };

const ICON = { size: 18, stroke: 1.6 };

type SettingsPage = { key: string; label: ParseKeys; query: string };
const integrationPages = integrationKinds.map((one): SettingsPage => ({
  ...one,
  query: `tab=integrations&kind=${one.key}`,
}));

/** The pages that the user may open: the menu, and those that only the bar links to. */
export function listPages(user: User, screens: Screens, t: TFunction): SearchOption[] {
  const fromMenu = menuGroupsFor(user, screens).flatMap(([, entries]) => entries);
  const others = [
    { label: "bar.security" as ParseKeys, path: "/account", icon: IconUserCircle },
    { label: "bar.privacy" as ParseKeys, path: "/privacy-settings", icon: IconShieldLock },
  ];
  const settings = settingsTabs
    .filter(({ isFor }) => isFor(user))
    .flatMap(({ key, label }): SettingsPage[] =>
      key === "integrations" ? integrationPages : [{ key, label, query: `tab=${key}` }],
    );
  const publicEvents = t("bar.events");
  return [
    ...[...fromMenu, ...others].map(({ label, path, icon: Icon }) => ({
      key: path,
      title: t(label),
      mark: <Icon {...ICON} />,
      to: path,
    })),
    ...settings.map(({ key, label, query }) => ({
      key: `settings-${key}`,
      title: t("search.settingsPage", { page: t(label) }),
      mark: <IconSettings {...ICON} />,
      to: `/admin/settings?${query}`,
    })),
    {
      key: "/events",
      title: isAdmin(user) ? t("search.publicPage", { page: publicEvents }) : publicEvents,
      mark: <IconCalendarEvent {...ICON} />,
      to: "/events",
    },
  ];
}

/** Pages with a word that starts with the text; those whose name starts with it come first. */
export function findPages(pages: SearchOption[], text: string) {
  const wanted = text.toLowerCase();
  const rank = ({ title }: SearchOption) => {
    const at = ` ${title.toLowerCase()}`.indexOf(` ${wanted}`);
    return at < 0 ? 2 : Math.min(at, 1);
  };
  return pages.filter((page) => rank(page) < 2).toSorted((a, b) => rank(a) - rank(b));
}

/** The results of the server as groups of options, with a last option that opens the whole list. */
export function groupResults(results: SearchResults, user: User, q: string, t: TFunction): SearchGroup[] {
  const statusOf = (status: string) =>
    status === "active" || status === "published" ? undefined : t(`search.status.${status}` as "search.status.draft");
  const options: Record<Exclude<SearchKind, "views">, SearchOption[]> = {
    learners: results.learners.items.map(({ id, company, status, ...person }) => ({
      key: id,
      title: nameOf(person),
      detail: person.name ? `${company}, ${contactOf(person)}` : company,
      status: statusOf(status),
      mark: <PersonMark name={nameOf(person)} size={28} />,
      to: `/learners/report/${id}`,
    })),
    companies: results.companies.items.map(({ id, name, accessCode, color, status }) => ({
      key: id,
      title: name,
      detail: formatCode(accessCode),
      status: statusOf(status),
      mark: <CompanyMark name={name} color={color} size={28} />,
      to: `/companies/${id}`,
    })),
    courses: results.courses.items.map(({ id, title, code, status, companyId }) => ({
      key: id,
      title,
      ...(isAdmin(user) && { detail: code }),
      status: statusOf(status),
      mark: <IconBook2 {...ICON} />,
      to: companyId ? `/launch/${companyId}/${id}` : `/courses/${id}`,
    })),
    events: results.events.items.map(({ id, slug, title, startsAt, timezone, status }) => ({
      key: id,
      title,
      detail: formatDateIn(startsAt, timezone),
      status: statusOf(status),
      mark: <IconCalendarEvent {...ICON} />,
      to: isAdmin(user) ? `/admin/events/edit/${id}` : `/events/${slug}`,
    })),
    ...contentOptions(results, isAdmin(user), statusOf, t),
  };
  /** The lists that show all matches, for the kinds that have one. */
  const lists: Partial<Record<SearchKind, string>> = {
    learners: "/learners",
    companies: "/companies",
    courses: isAdmin(user) ? "/courses" : "/my-courses",
    events: isAdmin(user) ? "/admin/events" : "/events",
    ...(isAdmin(user) && { chatbots: "/admin/chatbots" }),
    documents: "/admin/documents",
    prompts: "/admin/prompts",
    buttonPrompts: "/admin/button-prompts",
    variables: "/variables",
  };
  const groups = (Object.keys(options) as (keyof typeof options)[]).map((kind): SearchGroup => {
    const list = results[kind].more ? lists[kind] : undefined;
    const all = list && {
      key: `all-${kind}`,
      title: t("search.more", { q }),
      mark: <IconList {...ICON} />,
      to: `${list}?q=${encodeURIComponent(q)}`,
    };
    return { kind, options: [...options[kind], ...(all ? [all] : [])] };
  });
  const reports: SearchGroup = { kind: "reports", options: isAdmin(user) ? reportOptions(results, t) : [] };
  return groups.flatMap((group) => (group.kind === "events" ? [group, reports] : [group]));
}

import { type Icon, IconBooks, IconCertificate, IconCompass, IconHome } from "@tabler/icons-react";
import type { ParseKeys } from "i18next";
import { isLearner, type User } from "#shared/core/users.ts";

type Tab = {
  label: ParseKeys;
  to: string;
  icon: Icon;
  /** Starts of the paths of its further pages. */
  covers: string[];
};

/** The tabs at the bottom of phones; people who are not learners of a company have none. */
export function tabsFor(user: User | null): Tab[] {
  if (!isLearner(user) || user.companyId === null) return [];
  return [
    { label: "today.menuEntries.today", to: "/today", icon: IconHome, covers: [] },
    { label: "bar.courses", to: "/my-courses", icon: IconBooks, covers: ["/courses", "/paths"] },
    { label: "catalogue.menuEntries.catalogue", to: "/catalogue", icon: IconCompass, covers: [] },
    {
      label: "bar.results",
      to: `/learners/report/${user.id}`,
      icon: IconCertificate,
      covers: ["/certificates", "/transcripts", "/reports/chatbots", "/verify"],
    },
  ];
}

export const isAtTab = ({ to, covers }: Tab, pathname: string) =>
  [to, ...covers].some((start) => pathname === start || pathname.startsWith(`${start}/`));

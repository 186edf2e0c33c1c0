import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import classes from "#web/core/layout/navigation/TabBar.module.css";
import { isAtTab, tabsFor } from "#web/core/menu/tabs.ts";
import type { User } from "#shared/core/users.ts";

/** The main pages of a learner at the bottom of a phone. Other screens do not show it. */
export function TabBar({ user }: { user: User | null }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const tabs = tabsFor(user);
  if (tabs.length === 0) return null;
  return (
    <nav className={classes.tabs} aria-label={t("bar.tabs")} data-tabs>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={classes.tab}
          aria-current={isAtTab(tab, pathname) ? "page" : undefined}
        >
          <tab.icon size={22} stroke={1.6} aria-hidden />
          <span>{t(tab.label)}</span>
        </Link>
      ))}
    </nav>
  );
}

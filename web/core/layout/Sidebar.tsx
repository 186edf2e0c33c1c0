import { Tooltip, UnstyledButton } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogout } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { Screens } from "#web/core/layout/barLinks.ts";
import { currentPath, menuGroupsFor } from "#web/core/layout/menu.ts";
import classes from "#web/core/layout/Sidebar.module.css";
import { useLogout } from "#web/core/session/useLogout.ts";
import type { User } from "#shared/users.ts";

type Props = { user: User; screens: Screens; collapsed: boolean; onCollapse: (collapsed: boolean) => void };

/** The sidebar; collapsed it shows icons with tooltips. */
export function Sidebar({ user, screens, collapsed, onCollapse }: Props) {
  const { t } = useTranslation();
  const logout = useLogout();
  const Collapse = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const collapseLabel = collapsed ? t("bar.expand") : t("bar.collapse");

  return (
    <nav className={classes.sidebar} data-collapsed={collapsed || undefined} aria-label={t("web.sidebar")}>
      <MenuItems user={user} screens={screens} collapsed={collapsed} />
      <div className={classes.bottom}>
        <Tooltip label={t("bar.logout")} position="right" disabled={!collapsed}>
          <Link to="/login" onClick={logout} className={classes.item} aria-label={t("bar.logout")}>
            <IconLogout size={18} stroke={1.6} />
            {!collapsed && t("bar.logout")}
          </Link>
        </Tooltip>
        <Tooltip label={collapseLabel} position="right">
          <UnstyledButton
            className={classes.collapse}
            onClick={() => onCollapse(!collapsed)}
            aria-label={collapseLabel}
            aria-expanded={!collapsed}
          >
            <Collapse size={18} stroke={1.6} />
          </UnstyledButton>
        </Tooltip>
      </div>
    </nav>
  );
}

/** The menu entries in groups; shared by the sidebar and the drawer on small screens. */
export function MenuItems({
  user,
  screens,
  collapsed = false,
}: Pick<Props, "user" | "screens"> & { collapsed?: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const current = currentPath(pathname);

  return menuGroupsFor(user.role, screens).map(([group, entries]) => (
    <div key={group} className={classes.group} role="group" aria-label={t(`web.menu.groups.${group}`)}>
      {!collapsed && (
        <p className={classes.word} aria-hidden>
          {t(`web.menu.groups.${group}`)}
        </p>
      )}
      {entries.map(({ label, path, icon: Icon }) => {
        const preload = () =>
          void screens
            .get(path)?.()
            .catch(() => {});
        return (
          <Tooltip key={path} label={t(label)} position="right" disabled={!collapsed}>
            <Link
              to={path}
              className={classes.item}
              onPointerEnter={preload}
              onFocus={preload}
              aria-current={current === path ? "page" : undefined}
              aria-label={t(label)}
            >
              <Icon size={18} stroke={1.6} />
              {!collapsed && t(label)}
            </Link>
          </Tooltip>
        );
      })}
    </div>
  ));
}

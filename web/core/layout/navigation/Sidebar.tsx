import { UnstyledButton } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconLogout } from "@tabler/icons-react";
import { type ReactElement, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { currentPath, menuGroupsFor } from "#web/core/menu/menu.ts";
import classes from "#web/core/layout/navigation/Sidebar.module.css";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { useLogout } from "#web/core/session/useLogout.ts";
import type { User } from "#shared/core/users.ts";

type Props = { user: User; screens: Screens; collapsed: boolean; onCollapse: (collapsed: boolean) => void };

/** Only the collapsed sidebar needs them. */
const SideTooltip = lazyWithPreload(() =>
  import("#web/core/layout/navigation/SideTooltip.tsx").then(({ SideTooltip }) => SideTooltip),
);
function WithTooltip({ isOn, label, children }: { isOn: boolean; label: string; children: ReactElement }) {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isOn)
      SideTooltip.preload().then(
        () => setLoaded(true),
        () => {},
      );
  }, [isOn]);
  return isOn && isLoaded ? <SideTooltip label={label}>{children}</SideTooltip> : children;
}

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
        <WithTooltip isOn={collapsed} label={t("bar.logout")}>
          <Link to="/login" onClick={logout} className={classes.item} aria-label={t("bar.logout")}>
            <IconLogout size={18} stroke={1.6} />
            {!collapsed && t("bar.logout")}
          </Link>
        </WithTooltip>
        <UnstyledButton
          className={classes.collapse}
          onClick={() => onCollapse(!collapsed)}
          title={collapseLabel}
          aria-label={collapseLabel}
          aria-expanded={!collapsed}
        >
          <Collapse size={18} stroke={1.6} />
        </UnstyledButton>
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
  const current = currentPath(pathname, user.role);

  return menuGroupsFor(user, screens).map(([group, entries]) => (
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
          <WithTooltip key={path} isOn={collapsed} label={t(label)}>
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
          </WithTooltip>
        );
      })}
    </div>
  ));
}

import { Burger, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, NavLink, useLocation } from "react-router";
import { barLinksFor, type Screens } from "#web/core/menu/barLinks.ts";
import { AccountButton } from "#web/core/layout/navigation/AccountButton.tsx";
import { SkipLink } from "#web/core/layout/SkipLink.tsx";
import classes from "#web/core/layout/navigation/NavigationBar.module.css";
import { SearchButton } from "#web/core/search/SearchButton.tsx";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { Logo } from "#web/core/brand/Logo.tsx";
import { useIsNavigating } from "#web/core/layout/pendingNavigation.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { isAdmin } from "#shared/core/users.ts";
import { useLogout } from "#web/core/session/useLogout.ts";

// The menus are loaded when they are needed. The bar is part of the first paint.
const MenuDrawer = lazyDialog(() =>
  import("#web/core/layout/navigation/MenuDrawer.tsx").then(({ MenuDrawer }) => MenuDrawer),
);
const NotificationBell = lazyWithPreload(() =>
  import("#web/core/notifications/NotificationBell.tsx").then(({ NotificationBell }) => NotificationBell),
);

type Props = {
  screens: Screens;
  /** The page below is the sheet of signed-in people, with its rounded corner. */
  hasSheet?: boolean;
};

/** The bar at the top of every page with a layout. */
export function NavigationBar({ screens, hasSheet = false }: Props) {
  const { t } = useTranslation();
  const user = useUser();
  const { pathname } = useLocation();
  const pending = useIsNavigating();
  const logout = useLogout();
  const [opened, { toggle, close }] = useDisclosure();
  const links = barLinksFor(user);
  useEffect(() => close(), [pathname, close]);

  return (
    <header className={classes.bar} data-sheet={hasSheet || undefined} data-pending={pending || undefined}>
      <SkipLink />
      <nav className={classes.links} aria-label={t("bar.mainMenu")}>
        <Link to="/" className={classes.title}>
          <Logo size={26} />
        </Link>
        {links.map(({ label, path }) => (
          <NavLink key={path} to={path} className={`${classes.link} ${classes.wide}`}>
            {t(label)}
          </NavLink>
        ))}
        {user && hasSheet && <SearchButton user={user} screens={screens} />}
        {isAdmin(user) && !user.needsFactor && hasSheet && (
          <Suspense fallback={<span className={classes.bell} />}>
            <div className={classes.bell}>
              <NotificationBell />
            </div>
          </Suspense>
        )}
        <div className={`${classes.right} ${classes.wide}`}>
          {user ? (
            <>
              <AccountButton user={user} />
              <Link to="/privacy-settings" className={classes.link}>
                {t("bar.privacy")}
              </Link>
              <Link to="/login" onClick={logout} className={classes.link}>
                {t("bar.logout")}
              </Link>
            </>
          ) : (
            <>
              <Link to="/login" className={classes.link}>
                {t("bar.login")}
              </Link>
              <Button component={Link} to="/register">
                {t("bar.createAccount")}
              </Button>
            </>
          )}
        </div>
        <Burger
          className={classes.burger}
          size={17}
          lineSize={2}
          opened={opened}
          onClick={toggle}
          onPointerEnter={() => void MenuDrawer.preload().catch(() => {})}
          aria-label={opened ? t("bar.closeMenu") : t("bar.openMenu")}
          aria-expanded={opened}
        />
      </nav>
      <MenuDrawer opened={opened} onClose={close} screens={screens} links={links} />
    </header>
  );
}

import { Burger, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { Link, NavLink } from "react-router";
import { AccountMenu } from "#web/core/layout/AccountMenu.tsx";
import classes from "#web/core/layout/NavigationBar.module.css";
import { Logo } from "#web/core/brand/Logo.tsx";
import { barLinks, type Screens } from "#web/core/layout/menu.ts";
import { MenuDrawer } from "#web/core/layout/MenuDrawer.tsx";
import { useIsNavigating } from "#web/core/layout/pendingNavigation.ts";
import { useUser } from "#web/core/session/session.tsx";
import { useLogout } from "#web/core/session/useLogout.ts";

/** The bar at the top of every page with a layout. */
export function NavigationBar({ screens }: { screens: Screens }) {
  const { t } = useTranslation();
  const user = useUser();
  const pending = useIsNavigating();
  const logout = useLogout();
  const [opened, { toggle, close }] = useDisclosure();
  const links = barLinks.filter(({ roles, path }) => roles.includes(user?.role ?? "guest") && screens.has(path));

  return (
    <header className={classes.bar} data-signed-in={user !== null || undefined} data-pending={pending || undefined}>
      <nav className={classes.links} aria-label={t("web.mainMenu")}>
        <Link to="/" className={classes.title}>
          <Logo size={26} />
        </Link>
        {links.map(({ label, path }) => (
          <NavLink key={path} to={path} className={`${classes.link} ${classes.wide}`}>
            {t(label)}
          </NavLink>
        ))}
        <div className={`${classes.right} ${classes.wide}`}>
          {user ? (
            <>
              <AccountMenu user={user} />
              {screens.has("/privacy-settings") && (
                <Link to="/privacy-settings" className={classes.link}>
                  {t("web.bar.privacy")}
                </Link>
              )}
              <Link to="/login" onClick={logout} className={classes.link}>
                {t("web.bar.logout")}
              </Link>
            </>
          ) : (
            <>
              <Link to="/login" className={classes.link}>
                {t("web.bar.login")}
              </Link>
              <Button component={Link} to="/register">
                {t("web.bar.createAccount")}
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
          aria-label={opened ? t("web.bar.closeMenu") : t("web.bar.openMenu")}
          aria-expanded={opened}
        />
      </nav>
      <MenuDrawer opened={opened} onClose={close} screens={screens} links={links} />
    </header>
  );
}

import { Button, Drawer, SegmentedControl, Stack } from "@mantine/core";
import { IconCalendarEvent, IconLogout, IconShieldLock, IconUserCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { barLinksFor, Screens } from "#web/core/menu/barLinks.ts";
import { menuGroupsFor } from "#web/core/menu/menu.ts";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { schemes, useScheme } from "#web/core/brand/scheme.ts";
import { useUser } from "#web/core/session/session.tsx";
import { MenuItems } from "#web/core/layout/navigation/Sidebar.tsx";
import classes from "#web/core/layout/navigation/Sidebar.module.css";
import { useLogout } from "#web/core/session/useLogout.ts";
import type { User } from "#shared/core/users.ts";

type Props = { opened: boolean; onClose: () => void; screens: Screens; links: ReturnType<typeof barLinksFor> };

/** The menu on small screens: all entries of navigation bar and sidebar. */
export function MenuDrawer({ opened, onClose, screens, links }: Props) {
  const { t } = useTranslation();
  const user = useUser();
  const academy = useAcademyName();

  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={300}
      title={academy}
      closeButtonProps={{ "aria-label": t("bar.closeMenu") }}
      transitionProps={{ duration: 180 }}
    >
      <nav className={classes.drawer} aria-label={t("bar.mainMenu")} onClick={onClose}>
        {user && (
          <div className={classes.account}>
            <PersonMark name={user.name || (user.email ?? "")} size={32} />
            <span>{user.email ?? user.name}</span>
          </div>
        )}
        {user ? (
          <>
            <PublicLinks links={links.filter(({ path }) => !isInMenu(user, screens, path))} />
            <MenuItems user={user} screens={screens} />
          </>
        ) : (
          <Stack gap="xs">
            {links.map(({ label, path }) => (
              <Link key={path} to={path} className={classes.item}>
                {t(label)}
              </Link>
            ))}
            <Button component={Link} to="/login" variant="default" size="md">
              {t("bar.login")}
            </Button>
            <Button component={Link} to="/register" size="md">
              {t("bar.createAccount")}
            </Button>
          </Stack>
        )}
        {user && <AccountLinks />}
      </nav>
      {user && <SchemeControl />}
    </Drawer>
  );
}

const isInMenu = (user: User, screens: Screens, path: string) =>
  menuGroupsFor(user, screens).some(([, entries]) => entries.some((entry) => entry.path === path));

/**
 * The links of the bar that are not in the sidebar. Admins have another entry named Events, hence a group with a name.
 */
function PublicLinks({ links }: Pick<Props, "links">) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <div className={classes.group} role="group" aria-label={t("bar.public")}>
      <p className={classes.word} aria-hidden>
        {t("bar.public")}
      </p>
      {links.map(({ label, path }) => (
        <Link key={path} to={path} className={classes.item} aria-current={pathname === path ? "page" : undefined}>
          <IconCalendarEvent size={18} stroke={1.6} />
          {t(label)}
        </Link>
      ))}
    </div>
  );
}

function AccountLinks() {
  const { t } = useTranslation();
  const logout = useLogout();
  return (
    <>
      <Link to="/account" className={classes.item}>
        <IconUserCircle size={18} stroke={1.6} />
        {t("bar.security")}
      </Link>
      <Link to="/privacy-settings" className={classes.item}>
        <IconShieldLock size={18} stroke={1.6} />
        {t("bar.privacy")}
      </Link>
      <Link to="/login" onClick={logout} className={classes.item}>
        <IconLogout size={18} stroke={1.6} />
        {t("bar.logout")}
      </Link>
    </>
  );
}

function SchemeControl() {
  const { t } = useTranslation();
  const [scheme, setScheme] = useScheme();
  return (
    <SegmentedControl
      fullWidth
      mt="md"
      aria-label={t("bar.appearance")}
      value={scheme}
      onChange={(value) => setScheme(value as typeof scheme)}
      data={schemes.map((value) => ({ value, label: t(`bar.${value}`) }))}
    />
  );
}

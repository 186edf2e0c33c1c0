import { Button, Drawer, SegmentedControl, Stack } from "@mantine/core";
import { IconLogout, IconShieldLock, IconUserCircle } from "@tabler/icons-react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { barLinks, Screens } from "#web/core/layout/menu.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { schemes, useScheme } from "#web/core/brand/scheme.ts";
import { useUser } from "#web/core/session/session.tsx";
import { MenuItems } from "#web/core/layout/Sidebar.tsx";
import classes from "#web/core/layout/Sidebar.module.css";
import { useLogout } from "#web/core/session/useLogout.ts";

type Props = { opened: boolean; onClose: () => void; screens: Screens; links: typeof barLinks };

/** The menu on small screens: all entries of navigation bar and sidebar. */
export function MenuDrawer({ opened, onClose, screens, links }: Props) {
  const { t } = useTranslation();
  const user = useUser();
  const { pathname } = useLocation();
  const close = useEffectEvent(onClose);
  useEffect(() => close(), [pathname]);

  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={300}
      title={t("core.product")}
      closeButtonProps={{ "aria-label": t("web.bar.closeMenu") }}
      transitionProps={{ duration: 180 }}
    >
      <nav className={classes.drawer} aria-label={t("web.mainMenu")} onClick={onClose}>
        {user && (
          <div className={classes.account}>
            <PersonMark name={user.name || user.email} size={32} />
            <span>{user.email}</span>
          </div>
        )}
        {user ? (
          <MenuItems user={user} screens={screens} />
        ) : (
          <Stack gap="xs">
            {links.map(({ label, path }) => (
              <Link key={path} to={path} className={classes.item}>
                {t(label)}
              </Link>
            ))}
            <Button component={Link} to="/login" variant="default" size="md">
              {t("web.bar.login")}
            </Button>
            <Button component={Link} to="/register" size="md">
              {t("web.bar.createAccount")}
            </Button>
          </Stack>
        )}
        {user && <AccountLinks screens={screens} />}
      </nav>
      {user && <SchemeControl />}
    </Drawer>
  );
}

function AccountLinks({ screens }: Pick<Props, "screens">) {
  const { t } = useTranslation();
  const logout = useLogout();
  return (
    <>
      <Link to="/account" className={classes.item}>
        <IconUserCircle size={18} stroke={1.6} />
        {t("web.bar.security")}
      </Link>
      {screens.has("/privacy-settings") && (
        <Link to="/privacy-settings" className={classes.item}>
          <IconShieldLock size={18} stroke={1.6} />
          {t("web.bar.privacy")}
        </Link>
      )}
      <Link to="/login" onClick={logout} className={classes.item}>
        <IconLogout size={18} stroke={1.6} />
        {t("web.bar.logout")}
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
      aria-label={t("web.bar.appearance")}
      value={scheme}
      onChange={(value) => setScheme(value as typeof scheme)}
      data={schemes.map((value) => ({ value, label: t(`web.bar.${value}`) }))}
    />
  );
}

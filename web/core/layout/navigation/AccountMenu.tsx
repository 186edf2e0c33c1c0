import { Menu, UnstyledButton } from "@mantine/core";
import { IconShieldLock, IconUserCircle } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/core/layout/navigation/NavigationBar.module.css";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { schemes, useScheme } from "#web/core/brand/scheme.ts";
import type { User } from "#shared/core/users.ts";

/** The account menu of the navigation bar: account, privacy and colour scheme. It opens when it is mounted. */
export function AccountMenu({ user }: { user: User }) {
  const { t } = useTranslation();
  const [scheme, setScheme] = useScheme();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // This button replaces the pressed one and takes over its focus, which returns here when the menu closes.
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu position="bottom-end" width={220} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <UnstyledButton ref={button} className={classes.account}>
          <PersonMark name={user.name || (user.email ?? "")} size={26} />
          <bdi className={classes.who}>{user.email ?? user.name}</bdi>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCircle size={18} stroke={1.7} />}>
          {t("bar.security")}
        </Menu.Item>
        <Menu.Item component={Link} to="/privacy-settings" leftSection={<IconShieldLock size={18} stroke={1.7} />}>
          {t("bar.privacy")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t("bar.appearance")}</Menu.Label>
        <Menu.RadioGroup value={scheme} onChange={(next) => setScheme(next as typeof scheme)}>
          {schemes.map((value) => (
            <Menu.RadioItem key={value} value={value}>
              {t(`bar.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

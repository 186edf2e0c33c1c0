import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import classes from "#web/core/layout/navigation/NavigationBar.module.css";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { toast } from "#web/core/toast/toast.ts";
import type { User } from "#shared/core/users.ts";

const AccountMenu = lazyWithPreload(() =>
  import("#web/core/layout/navigation/AccountMenu.tsx").then(({ AccountMenu }) => AccountMenu),
);
const preload = () => void AccountMenu.preload().catch(() => {});

/**
 * Opens the account menu, which is loaded when somebody is about to open it: most visits need none, and phones have
 * another.
 */
export function AccountButton({ user }: { user: User }) {
  const { t } = useTranslation();
  const [wasOpened, setWasOpened] = useState(false);
  const open = () =>
    AccountMenu.preload().then(
      () => setWasOpened(true),
      () => toast.failed(t("core.error.title"), { text: t("core.error.part") }),
    );
  if (wasOpened) return <AccountMenu user={user} />;
  return (
    <UnstyledButton
      className={classes.account}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => void open()}
    >
      <PersonMark name={user.name || (user.email ?? "")} size={26} />
      <bdi className={classes.who}>{user.email ?? user.name}</bdi>
    </UnstyledButton>
  );
}

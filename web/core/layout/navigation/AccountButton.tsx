import { UnstyledButton } from "@mantine/core";
import { Suspense, useState } from "react";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import classes from "#web/core/layout/navigation/NavigationBar.module.css";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import type { User } from "#shared/users.ts";

const AccountMenu = lazyWithPreload(() =>
  import("#web/core/layout/navigation/AccountMenu.tsx").then(({ AccountMenu }) => AccountMenu),
);
const preload = () => void AccountMenu.preload().catch(() => {});

/** Opens the account menu, which is loaded when somebody is about to open it: most visits need none, and phones have another. */
export function AccountButton({ user }: { user: User }) {
  const [wasOpened, setWasOpened] = useState(false);
  const button = (
    <UnstyledButton
      className={classes.account}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWasOpened(true)}
    >
      <PersonMark name={user.name || user.email} size={26} />
      {user.email}
    </UnstyledButton>
  );
  return wasOpened ? (
    <Suspense fallback={button}>
      <AccountMenu user={user} />
    </Suspense>
  ) : (
    button
  );
}

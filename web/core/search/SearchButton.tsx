import { UnstyledButton } from "@mantine/core";
import { useHotkeys, useOs } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import classes from "#web/core/search/SearchButton.module.css";
import type { User } from "#shared/core/users.ts";

const SearchDialog = lazyWithPreload(() =>
  import("#web/core/search/SearchDialog.tsx").then(({ SearchDialog }) => SearchDialog),
);
const preload = () => void SearchDialog.preload().catch(() => {});
/** A dialog that asks something is answered first: the search would cover it. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/**
 * Opens the search, as Ctrl+K does (⌘K on a Mac). A field with the shortcut on large screens, an icon on small ones.
 */
export function SearchButton({ user, screens }: { user: User; screens: Screens }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const isApple = ["macos", "ios"].includes(useOs());
  /** What gets the focus back; browsers do not agree on whether a click focuses a button. */
  const opener = useRef<Element | null>(null);
  const open = (from: Element | null) => {
    opener.current = from;
    setWasOpened(true);
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
  useHotkeys([["mod+K", () => !isDialogOpen() && open(document.activeElement)]], []);
  return (
    <>
      <UnstyledButton
        className={classes.button}
        data-search
        onClick={(event) => open(event.currentTarget)}
        onPointerEnter={preload}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? "Meta+K" : "Control+K"}
        aria-label={t("bar.search")}
      >
        <IconSearch size={18} stroke={1.6} />
        <span className={classes.word}>{t("bar.search")}</span>
        <kbd className={classes.keys} aria-hidden>
          {isApple ? "⌘ K" : "Ctrl K"}
        </kbd>
      </UnstyledButton>
      {wasOpened && (
        <Suspense>
          <SearchDialog user={user} screens={screens} opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

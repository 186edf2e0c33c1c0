import { CloseButton, Loader, Modal, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import classes from "#web/core/search/SearchDialog.module.css";
import { SearchOptions } from "#web/core/search/SearchOptions.tsx";
import { NoResults } from "#web/core/search/NoResults.tsx";
import { useSearch } from "#web/core/search/useSearch.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

type Props = { user: User; screens: Screens; opened: boolean; onClose: () => void };

/** The search: a combobox whose list is always open (ARIA Authoring Practices, "Combobox with Listbox Popup"). */
export function SearchDialog({ user, screens, opened, onClose }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      size={640}
      yOffset="10dvh"
      fullScreen={isPhone}
      transitionProps={{ duration: 120, transition: "fade" }}
    >
      <Modal.Overlay color="#08343D" backgroundOpacity={0.45} />
      <Modal.Content aria-label={t("search.title")} radius="lg" shadow="xl" className={classes.dialog}>
        <Modal.Body p={0} className={classes.body}>
          <SearchBody user={user} screens={screens} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function SearchBody({ user, screens, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState("");
  const { q, groups, settled, failure, retry } = useSearch(text, user, screens);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  /** Enter was pressed before the results had arrived: the first one will be opened. */
  const [waiting, setWaiting] = useState(false);
  const role = isAdmin(user) ? "admin" : "learner";
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const current = Math.min(active, count - 1);
  const idOf = (index: number) => `${listId}-${index}`;
  const open = (index: number, event?: Pick<MouseEvent, "ctrlKey" | "metaKey">) => {
    const link = list.current?.querySelectorAll<HTMLAnchorElement>('[role="option"]')[index];
    if (event?.ctrlKey || event?.metaKey) window.open(link?.href, "_blank", "noopener");
    else link?.click();
  };

  useEffect(() => {
    if (!waiting || !settled) return;
    setWaiting(false);
    list.current?.querySelector<HTMLAnchorElement>('[role="option"]')?.click();
  }, [waiting, settled]);
  const moveTo = (index: number) => {
    setActive(index);
    document.getElementById(idOf(index))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || count + (event.key === "Enter" ? 1 : 0) === 0) return;
    if (event.key === "ArrowDown") moveTo((current + 1) % count);
    else if (event.key === "ArrowUp") moveTo((current - 1 + count) % count);
    else if (event.key === "Enter") {
      if (settled) open(current, event.nativeEvent);
      else setWaiting(true);
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={classes.head}>
        <TextInput
          data-autofocus
          variant="unstyled"
          size="md"
          className={classes.input}
          leftSection={settled ? <IconSearch size={20} stroke={1.6} /> : <Loader size={16} />}
          role="combobox"
          aria-label={t(`search.label.${role}`)}
          aria-expanded={count > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? idOf(current) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          enterKeyHint="go"
          placeholder={t(`search.label.${role}`)}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
            setWaiting(false);
            list.current?.scrollTo({ top: 0 });
          }}
          onKeyDown={onKeyDown}
        />
        <CloseButton size="lg" aria-label={t("search.close")} onClick={onClose} className={classes.close} />
      </div>
      <p className="ly-hidden" role="status">
        {settled && count > 0 ? t("search.count", { count }) : ""}
      </p>
      <SearchOptions
        ref={list}
        id={listId}
        idOf={idOf}
        groups={groups}
        current={current}
        onActive={setActive}
        onOpen={onClose}
      />
      {settled && count === 0 && <NoResults q={q} role={role} failed={failure !== null} retry={retry} />}
      <p className={classes.keys} aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> {t("search.keys.move")}
        <kbd>Enter</kbd> {t("search.keys.open")}
        <kbd>{t("search.esc")}</kbd> {t("search.keys.close")}
      </p>
    </>
  );
}

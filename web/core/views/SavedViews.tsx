import { ActionIcon, Button, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconChevronDown, IconPencil, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import classes from "#web/core/views/SavedViews.module.css";
import { type SavedView, views, withoutPage } from "#shared/reports/views.ts";

const ViewDialog = lazyDialog(() => import("#web/core/views/ViewDialog.tsx").then(({ ViewDialog }) => ViewDialog));

/** The saved views of this page: open, save and edit them. */
export function SavedViews({ align = "end" }: { align?: "start" | "end" }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const [opened, { close, toggle }] = useDisclosure();
  const [edited, setEdited] = useState<SavedView | "new" | null>(null);
  const items = useQuery(queryFor(views.list, { query: { path: pathname } })).data?.items ?? [];
  const current = withoutPage(search);
  const shown = items.find(({ query }) => query === current && query !== "");
  const edit = (view: SavedView | "new") => {
    close();
    setEdited(view);
  };
  const groups = [
    { title: t("views.own"), found: items.filter(({ isMine }) => isMine) },
    { title: t("views.shared"), found: items.filter(({ isMine }) => !isMine) },
  ].filter(({ found }) => found.length > 0);

  return (
    <>
      <Popover
        opened={opened}
        onDismiss={close}
        position={`bottom-${align}`}
        width={320}
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="default"
            fw={500}
            aria-haspopup="dialog"
            aria-expanded={opened}
            leftSection={<IconBookmark size={18} stroke={1.6} />}
            rightSection={<IconChevronDown size={16} stroke={1.7} />}
            className={classes.button}
            data-plain={!shown || undefined}
            title={shown?.name ?? t("views.button")}
            onClick={toggle}
          >
            <span className={classes.label}>{shown?.name ?? t("views.button")}</span>
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown} aria-label={t("views.button")}>
          {groups.length === 0 && (
            <div className={classes.none}>
              <strong>{t("views.none")}</strong>
              <p>{t("views.noneText")}</p>
            </div>
          )}
          {groups.map(({ title, found }) => (
            <section key={title}>
              <h2 className={classes.title}>{title}</h2>
              <ul className={classes.list}>
                {found.map((view) => (
                  <li key={view.id} className={classes.item} data-on={view.id === shown?.id || undefined}>
                    <Link
                      to={view.query ? `${pathname}?${view.query}` : pathname}
                      className={classes.link}
                      aria-current={view.id === shown?.id || undefined}
                      onClick={close}
                    >
                      {view.name}
                      {!view.isMine && (
                        <span className={classes.note}>{t("views.sharedBy", { name: view.owner })}</span>
                      )}
                      {view.rhythm && <span className={classes.note}>{t(`views.mails.${view.rhythm}`)}</span>}
                    </Link>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`${t("views.change")}: ${view.name}`}
                      title={`${t("views.change")}: ${view.name}`}
                      onClick={() => edit(view)}
                    >
                      <IconPencil size={16} stroke={1.7} />
                    </ActionIcon>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <Button
            variant="subtle"
            fullWidth
            justify="start"
            leftSection={<IconPlus size={16} stroke={1.7} />}
            onClick={() => edit("new")}
          >
            {t("views.save")}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {edited && (
        <ViewDialog
          view={edited === "new" ? null : edited}
          path={pathname}
          query={current}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

import { Button, Group, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router";
import { Dialog } from "#web/core/dialog/Dialog.tsx";

/** While `when` is true, asks before the page or the tab inside it is left or the window is closed. */
export function UnsavedGuard({ when }: { when: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => {
    const tab = (search: string) => new URLSearchParams(search).get("tab");
    return when && (from.pathname !== to.pathname || tab(from.search) !== tab(to.search));
  });
  useEffect(() => {
    if (!when) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [when]);

  return (
    <Dialog
      opened={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("companies.leave.title")}
      size={460}
      withCloseButton={false}
    >
      <Text>{t("companies.leave.text")}</Text>
      <Group mt="lg" gap="xs" justify="flex-end">
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          {t("companies.leave.stay")}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {t("companies.leave.go")}
        </Button>
      </Group>
    </Dialog>
  );
}

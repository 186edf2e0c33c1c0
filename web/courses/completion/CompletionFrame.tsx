import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";

type Props<Shown> = {
  opened: boolean;
  /** Undefined while it loads. */
  shown: Shown | undefined;
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
  children: (shown: Shown) => ReactNode;
};

/** The drawer that says why a course is complete or not. */
export function CompletionFrame<Shown extends { course: string; status: string }>(props: Props<Shown>) {
  const { t } = useTranslation();
  const { opened, shown, error, onRetry, onClose, children } = props;
  const title = shown
    ? t(shown.status === "completed" ? "completions.titleComplete" : "completions.title", { course: shown.course })
    : t("completions.loading");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={600}
      padding="lg"
      title={<span className={classes.title}>{title}</span>}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      {error !== null && <ErrorPanel error={error} onRetry={onRetry} />}
      {!shown && error === null && <SkeletonRows rows={6} />}
      {shown && children(shown)}
    </Drawer>
  );
}

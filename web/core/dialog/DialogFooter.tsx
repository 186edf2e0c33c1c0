import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "#web/core/dialog/FormDialog.module.css";

/** The buttons of a dialog. They stay in view while a long dialog scrolls. `className` adds to the row of buttons. */
export const DialogFooter = ({ className = "", children }: { className?: string | undefined; children: ReactNode }) => (
  <Group className={`${classes.footer} ${classes.buttons} ${className}`} gap="xs">
    {children}
  </Group>
);

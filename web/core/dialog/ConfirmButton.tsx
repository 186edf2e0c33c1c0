import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { type Confirmation, confirm } from "#web/core/dialog/confirm.ts";

type Props = Omit<ButtonProps, "title"> & { children: ReactNode; confirmation: Confirmation };

/** A button that opens the confirm dialog. In menus, call `confirm()` directly. */
export const ConfirmButton = ({ confirmation, children, ...rest }: Props) => (
  <Button variant="default" {...rest} onClick={() => confirm(confirmation)}>
    {children}
  </Button>
);

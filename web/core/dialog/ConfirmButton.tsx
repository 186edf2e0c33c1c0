import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { type Confirmation, confirm } from "#web/core/dialog/confirm.ts";

type Props = Omit<ButtonProps, "title"> & { children: ReactNode; ask: Confirmation };

/** A button that asks first. For menus and other places call `confirm()` yourself. */
export const ConfirmButton = ({ ask, children, ...rest }: Props) => (
  <Button variant="default" {...rest} onClick={() => confirm(ask)}>
    {children}
  </Button>
);

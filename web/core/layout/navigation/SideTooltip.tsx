import { Tooltip } from "@mantine/core";
import type { ReactElement } from "react";

/** The name of an entry of the collapsed sidebar. */
export const SideTooltip = ({ label, children }: { label: string; children: ReactElement }) => (
  <Tooltip label={label} position="right">
    {children}
  </Tooltip>
);

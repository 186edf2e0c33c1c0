import type { ReactNode } from "react";

/** An option of the search: its target, and the details that distinguish it from others of the same name. */
export type SearchOption = {
  key: string;
  title: string;
  detail?: string;
  status?: string | undefined;
  mark: ReactNode;
  to: string;
};

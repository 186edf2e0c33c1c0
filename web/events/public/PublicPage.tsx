import type { ReactNode } from "react";
import classes from "#web/events/public/PublicPage.module.css";
import { useUser } from "#web/core/session/session.tsx";

/** The layout of a public page, for guests and inside the layout of signed-in users. */
export const PublicPage = ({ children }: { children: ReactNode }) => {
  const user = useUser();
  return (
    <div className={classes.page} data-inside={user !== null || undefined}>
      {children}
    </div>
  );
};

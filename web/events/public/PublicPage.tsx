import type { ReactNode } from "react";
import classes from "#web/events/public/PublicPage.module.css";
import { useUser } from "#web/core/session/session.tsx";

/** The width of a public page: for guests on the ground, for the signed-in inside their sheet. */
export const PublicPage = ({ children }: { children: ReactNode }) => {
  const user = useUser();
  return (
    <div className={classes.page} data-inside={user !== null || undefined}>
      {children}
    </div>
  );
};

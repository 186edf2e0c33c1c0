import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "#web/auth/account/Account.module.css";

type Props = { icon?: Icon; name: ReactNode; text?: ReactNode; children?: ReactNode };

export const AccountList = ({ children }: { children: ReactNode }) => <ul className={classes.list}>{children}</ul>;

/** A row of the account page: name, state, and actions. */
export const AccountRow = ({ icon: Picture, name, text, children }: Props) => (
  <li className={classes.row}>
    {Picture && <Picture size={22} stroke={1.6} aria-hidden />}
    <div className={classes.content}>
      <p className={classes.name}>{name}</p>
      {text && <p className={classes.text}>{text}</p>}
    </div>
    {children && <div className={classes.actions}>{children}</div>}
  </li>
);

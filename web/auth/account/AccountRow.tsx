import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "#web/auth/account/Account.module.css";

type Props = { icon?: Icon; name: ReactNode; text?: ReactNode; children?: ReactNode };

export const AccountList = ({ children }: { children: ReactNode }) => <ul className={classes.list}>{children}</ul>;

/** One thing of the own account: what it is, how it stands, what can be done with it. */
export const AccountRow = ({ icon: Picture, name, text, children }: Props) => (
  <li className={classes.row}>
    {Picture && <Picture size={22} stroke={1.6} aria-hidden />}
    <div className={classes.words}>
      <p className={classes.name}>{name}</p>
      {text && <p className={classes.text}>{text}</p>}
    </div>
    {children && <div className={classes.acts}>{children}</div>}
  </li>
);

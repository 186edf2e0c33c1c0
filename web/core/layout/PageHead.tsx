import type { ReactNode } from "react";
import { Link } from "react-router";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/core/layout/PageHead.module.css";

type Props = {
  title: string;
  /** One line: what this page is for, or the facts of the thing it shows. */
  line?: ReactNode;
  /** At most two buttons, the primary one last. */
  actions?: ReactNode;
  /** The list this thing belongs to. */
  parent?: { to: string; label: string };
  /** A `CompanyMark`, `PersonMark` or cover, 52 px high. */
  mark?: ReactNode;
};

/** Top of every page inside the sheet. */
export function PageHead({ title, line, actions, parent, mark }: Props) {
  return (
    <header className={classes.head} data-detail={parent ? true : undefined}>
      {parent && (
        <Link to={parent.to} className={classes.parent}>
          {parent.label}
        </Link>
      )}
      <div className={classes.row}>
        {mark}
        <div className={classes.words} data-head="words">
          <Heading>{title}</Heading>
          {line && <p className={classes.line}>{line}</p>}
        </div>
        {actions && (
          <div className={classes.actions} data-head="actions">
            {actions}
          </div>
        )}
      </div>
    </header>
  );
}

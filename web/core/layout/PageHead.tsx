import type { ReactNode } from "react";
import { Link } from "react-router";
import { Heading } from "#web/core/layout/Heading.tsx";
import classes from "#web/core/layout/PageHead.module.css";

type Props = {
  title: string;
  /** One line: the purpose of the page, or key facts about its subject. */
  line?: ReactNode;
  /** At most two buttons, the primary one last. */
  actions?: ReactNode;
  /** Link to the list that contains this item. */
  parent?: { to: string; label: string };
  /** A `CompanyMark`, `PersonMark` or `Cover`, 52 px high. */
  mark?: ReactNode;
};

/** The header of a page: title, description and actions. */
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

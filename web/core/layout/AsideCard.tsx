import { type ReactNode, useId } from "react";
import classes from "#web/core/layout/Section.module.css";

type Props = {
  title: string;
  /** Large content on a dark background below the title, such as an access code. Without it the title is plain. */
  dark?: ReactNode;
  children: ReactNode;
};

/** A bordered panel for the right column of a detail page. */
export function AsideCard({ title, dark, children }: Props) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      {dark ? (
        <div className={classes.cardHead}>
          <h2 id={id} style={{ margin: 0 }}>
            {title}
          </h2>
          {dark}
        </div>
      ) : (
        <h2 id={id} className={classes.cardTitle} style={{ margin: 0 }}>
          {title}
        </h2>
      )}
      <div className={classes.cardBody}>{children}</div>
    </section>
  );
}

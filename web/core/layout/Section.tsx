import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "#web/core/layout/Section.module.css";

type Props = { title: string; side?: ReactNode; children: ReactNode };

/** A section of a page with an h2; `side` is shown to the right of the title (a button, a legend, a period). */
export function Section({ title, side, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id} className={classes.title}>
          {title}
        </Title>
        {side && (
          <div className={classes.side} data-head="actions">
            {side}
          </div>
        )}
      </div>
      {children}
    </section>
  );
}

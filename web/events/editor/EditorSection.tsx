import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SectionName } from "#web/events/editor/EditorNav.tsx";
import classes from "#web/events/editor/EventEditor.module.css";

/** A section of the form with its title, linked from the list of sections. */
export function EditorSection({ name, hint, children }: { name: SectionName; hint?: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section id={name} className={classes.section} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={-1} style={{ outline: "none" }}>
        {t(`events.edit.section.${name}`)}
      </h2>
      {hint && <p>{hint}</p>}
      {children}
    </section>
  );
}

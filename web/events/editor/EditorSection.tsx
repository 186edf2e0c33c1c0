import { Button } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import { type SectionName, sections } from "#web/events/editor/editorSections.ts";
import classes from "#web/events/editor/EventEditor.module.css";

/** The section that is shown, and how to show another one. */
export const SectionContext = createContext<{ current: SectionName; show: (name: SectionName) => void }>({
  current: "basics",
  show: () => {},
});

/** A section of the form. Only one is shown at a time; the others keep their fields. */
export function EditorSection({ name, hint, children }: { name: SectionName; hint?: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { current, show } = useContext(SectionContext);
  const next = sections[sections.indexOf(name) + 1];
  return (
    <section id={name} hidden={name !== current} className={classes.section} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={-1} style={{ outline: "none" }}>
        {t(`events.edit.section.${name}`)}
      </h2>
      {hint && <p>{hint}</p>}
      {children}
      {next && (
        <div>
          <Button variant="subtle" px={0} onClick={() => show(next)}>
            {t("events.edit.next", { section: t(`events.edit.section.${next}`) })}
          </Button>
        </div>
      )}
    </section>
  );
}

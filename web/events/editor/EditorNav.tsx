import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type SectionName, sections, type SectionStates } from "#web/events/editor/editorSections.ts";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = { current: SectionName; states: SectionStates; onShow: (name: SectionName) => void };

/** The sections of the form with their states: a list, on small screens a menu. */
export function EditorNav({ current, states, onShow }: Props) {
  const { t } = useTranslation();
  const stateOf = (name: SectionName) => (states[name] === "saved" ? "" : t(`events.edit.state.${states[name]}`));
  return (
    <nav className={classes.nav} aria-label={t("events.edit.sections")}>
      <ul>
        {sections.map((name) => (
          <li key={name}>
            <a
              href={`#${name}`}
              aria-current={name === current ? "step" : undefined}
              onClick={(press) => {
                press.preventDefault();
                onShow(name);
              }}
            >
              {t(`events.edit.section.${name}`)}
              {states[name] !== "saved" && (
                <span className={classes.state} data-state={states[name]}>
                  {stateOf(name)}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <NativeSelect
        className={classes.menu}
        aria-label={t("events.edit.sections")}
        value={current}
        onChange={(event) => onShow(event.currentTarget.value as SectionName)}
        data={sections.map((name) => ({
          value: name,
          label: [t(`events.edit.section.${name}`), stateOf(name)].filter(Boolean).join(": "),
        }))}
      />
    </nav>
  );
}

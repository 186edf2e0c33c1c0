import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

export const sections = ["basics", "when", "audience", "seats", "questions", "agenda", "speakers", "mails"] as const;
export type SectionName = (typeof sections)[number];

/** Links to the sections of the form; the visible one is marked. */
export function EditorNav() {
  const { t } = useTranslation();
  const [current, setCurrent] = useState<string>("basics");
  useEffect(() => {
    const update = () => {
      const reached = sections.filter(
        (name) => (document.getElementById(name)?.getBoundingClientRect().top ?? Infinity) < 160,
      );
      const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 4;
      setCurrent(atEnd ? "mails" : (reached.at(-1) ?? "basics"));
    };
    update();
    addEventListener("scroll", update, { passive: true });
    return () => removeEventListener("scroll", update);
  }, []);
  return (
    <nav className={classes.nav} aria-label={t("events.edit.sections")}>
      <ul>
        {sections.map((name) => (
          <li key={name}>
            <a
              href={`#${name}`}
              aria-current={name === current ? "location" : undefined}
              onClick={(press) => {
                press.preventDefault();
                document.getElementById(name)?.scrollIntoView({
                  behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
                });
                document.getElementById(`${name}-title`)?.focus({ preventScroll: true });
              }}
            >
              {t(`events.edit.section.${name}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

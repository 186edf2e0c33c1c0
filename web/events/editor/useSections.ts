import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { type SectionName, sectionOf, sections, type SectionStates } from "#web/events/editor/editorSections.ts";

const fromAddress = () => sections.find((name) => `#${name}` === location.hash) ?? "basics";

/** The shown section of the form; stored in the URL, so that a reload keeps it. */
export function useSections(form: RefObject<HTMLFormElement | null>, states: SectionStates) {
  const [current, setCurrent] = useState<SectionName>(fromAddress);
  const [isErrorWanted, setErrorWanted] = useState(false);
  const [target, setTarget] = useState<string | null>(null);
  const focusFirstError = useFocusFirstError();
  const open = (name: SectionName) => {
    setCurrent(name);
    history.replaceState(history.state, "", `#${name}`);
  };
  const show = (name: SectionName) => {
    open(name);
    setTarget(`#${name}-title`);
    scrollTo({ top: 0 });
  };

  const openInvalid = useEffectEvent(open);
  // Errors are in the form state one render after validation.
  useEffect(() => {
    if (!isErrorWanted) return;
    setErrorWanted(false);
    const first = sections.find((name) => states[name] === "error");
    if (first) openInvalid(first);
    focusFirstError(form.current);
  }, [isErrorWanted, states, form, focusFirstError]);
  useEffect(() => {
    if (!target) return;
    setTarget(null);
    document.querySelector<HTMLElement>(target)?.focus();
  }, [target]);

  return {
    current,
    show,
    focusError: () => setErrorWanted(true),
    /** Shows the field with this path and focuses it. */
    showField: (path: string) => {
      const name = sectionOf(path);
      open(name);
      const field = `form [name="${CSS.escape(path)}"]`;
      setTarget(document.querySelector(field) ? field : `#${name} [aria-invalid="true"]`);
    },
  };
}

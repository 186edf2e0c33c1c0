import { useEffect, useState } from "react";

/** The first of these gets the focus: a faulty field, one of a faulty group, or the sentence that says what is wrong. */
const FAULTS = ['[aria-invalid="true"]', "[data-error] input", '[role="alert"][tabindex]'];

/**
 * Puts the focus on what is wrong in a form, once the faults that were set as state before the call are on screen, however slow
 * the machine is.
 */
export function useFocusFirstError() {
  const [asked, ask] = useState<{ form: HTMLElement } | null>(null);
  useEffect(() => {
    const places = FAULTS.flatMap((fault) => asked?.form.querySelector<HTMLElement>(fault) ?? []);
    places[0]?.focus();
  }, [asked]);
  return (form: HTMLElement | null) => ask(form && { form });
}

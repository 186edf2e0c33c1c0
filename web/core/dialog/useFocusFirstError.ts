import { useEffect, useState } from "react";

/** Focus targets in order of preference: an invalid field, an invalid group, a general error message. */
const ERROR_SELECTORS = ['[aria-invalid="true"]', "[data-error] input", '[role="alert"][tabindex]'];

/**
 * Returns a function that focuses the first error of a form, after the errors set in the same update have been
 * rendered.
 */
export function useFocusFirstError() {
  const [request, setRequest] = useState<{ form: HTMLElement } | null>(null);
  useEffect(() => {
    const targets = ERROR_SELECTORS.flatMap((selector) => request?.form.querySelector<HTMLElement>(selector) ?? []);
    targets[0]?.focus();
  }, [request]);
  return (form: HTMLElement | null) => setRequest(form && { form });
}

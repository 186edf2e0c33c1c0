/** Focuses the first of the named fields, in the order of the form. */
export function focusFirst(form: HTMLFormElement, names: string[]) {
  const fields = [...form.elements].filter(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement,
  );
  fields.find(({ name }) => names.includes(name))?.focus();
}

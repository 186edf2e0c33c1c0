/** Puts the focus into the first faulty field, in the order of the form. */
export function focusFirst(form: HTMLFormElement, names: string[]) {
  const fields = [...form.elements].filter((one): one is HTMLInputElement => one instanceof HTMLInputElement);
  fields.find(({ name }) => names.includes(name))?.focus();
}

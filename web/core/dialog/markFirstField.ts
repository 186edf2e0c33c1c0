const FIELDS =
  'input:not([type="hidden"], [type="file"], [type="radio"], [tabindex="-1"]), input[type="radio"]:checked, ' +
  'textarea, select, [contenteditable="true"]';

/**
 * A ref for the form of a dialog: its first field gets the focus when the dialog opens, unless the form itself has an
 * element with `data-autofocus`. Otherwise the focus would be on the first button, which closes the dialog.
 */
export function markFirstField(form: HTMLElement | null) {
  if (!form || form.querySelector("[data-autofocus]")) return;
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)];
  fields.find((field) => !field.matches(":disabled"))?.setAttribute("data-autofocus", "true");
}

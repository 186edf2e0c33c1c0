import { useState } from "react";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";

/** The texts of a small form in a dialog, and its errors; empty again when the dialog closes. */
export function useTextForm<Fields extends Record<string, string>>(empty: Fields, onClose: () => void) {
  const [form, setForm] = useState(empty);
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, showError } = useFormErrors(setFieldErrors);
  const close = () => {
    setForm(empty);
    setFieldErrors({});
    setFailure(null);
    onClose();
  };
  /** Shows the errors of a check, and nothing of an earlier attempt. True if there are none. */
  const accept = (errors: Record<string, string>) => {
    setFieldErrors(errors);
    setFailure(null);
    return Object.keys(errors).length === 0;
  };
  const field = (name: keyof Fields & string) => ({
    value: form[name],
    error: fieldErrors[name],
    onChange: (typed: { currentTarget: { value: string } }) => setForm({ ...form, [name]: typed.currentTarget.value }),
  });
  return { form, field, failure, accept, setFieldErrors, showError, close };
}

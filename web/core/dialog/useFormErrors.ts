import { useState } from "react";
import { issuesOf } from "#web/core/http/messages.ts";

type Issues = Record<string, string>;

/** The field of a path such as `allowedDomains.0`, for lists that are one input. */
export const fieldOfPath = (path: string) => path.split(".")[0] ?? path;

type Options = {
  /** The field of the form for a path of the request, if it has another name. */
  toField?: (path: string) => string;
  /** The fields that have an input. An error of others is a failure; by default each field has an input. */
  fields?: readonly string[];
};

/**
 * The errors of a form that was sent. Those of its fields are set by `setErrors`; `failure` is an error without a
 * field, for `FormDialog`.
 */
export function useFormErrors(setErrors: (issues: Issues) => void, { toField, fields }: Options = {}) {
  const [failure, setFailure] = useState<unknown>(null);
  /** Shows an error. Returns its messages by field. */
  const showError = (error: unknown): Issues => {
    const issues = Object.fromEntries(
      Object.entries(issuesOf(error)).map(([path, message]) => [toField?.(path) ?? path, message]),
    );
    setErrors(issues);
    const hasField = Object.keys(issues).some((field) => fields?.includes(field) ?? true);
    setFailure(hasField ? null : error);
    return issues;
  };
  /** Checks and sends the form, and shows the error, unless `isHandled` resolves with true for it. */
  const attempt = async (send: () => Promise<unknown>, isHandled?: (error: unknown) => Promise<boolean>) => {
    setFailure(null);
    try {
      await send();
    } catch (error) {
      if (!(await isHandled?.(error))) showError(error);
    }
  };
  return { failure, setFailure, showError, attempt };
}

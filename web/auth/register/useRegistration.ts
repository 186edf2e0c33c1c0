import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { registrationErrorText } from "#web/auth/errorTexts.ts";
import { weakPasswordText } from "#web/auth/NewPassword.tsx";
import { ApiError } from "#web/core/http/http.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { REGISTRATION_PAUSE_MS } from "#shared/auth/auth.ts";

/** The field to which a problem code belongs. */
const fieldOfCode: Record<string, string> = {
  "auth.codeRequired": "accessCode",
  "auth.codeInvalid": "accessCode",
  "auth.emailInvalid": "email",
  "auth.emailInUse": "email",
  "auth.alreadyActive": "email",
  "auth.passwordWeak": "password",
};

export type FieldErrors = Record<string, string>;

/**
 * Sends a registration, then goes to /login?registered=true after a short pause; the login form is filled with the
 * address in the reply. `errorText`: message for errors that belong to no field.
 */
export function useRegistration(send: () => Promise<unknown>, errorText = registrationErrorText) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [state, setState] = useState<"open" | "busy" | "done">("open");
  const [failure, setFailure] = useState<string | null>(null);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});

  /** Returns the names of invalid fields; empty after a success or an error that belongs to no field. */
  const register = async (missing: FieldErrors): Promise<string[]> => {
    setFailure(null);
    setFieldErrors(missing);
    if (Object.keys(missing).length > 0) return Object.keys(missing);
    setState("busy");
    let reply: unknown;
    try {
      reply = await send();
    } catch (error) {
      const field = error instanceof ApiError ? fieldOfCode[error.code] : undefined;
      const issues = field ? { [field]: weakPasswordText(error) ?? messageOf(error) } : issuesOf(error);
      setFieldErrors(issues);
      if (Object.keys(issues).length === 0) setFailure(errorText(error));
      setState("open");
      return Object.keys(issues);
    }
    setState("done");
    await new Promise((resolve) => setTimeout(resolve, REGISTRATION_PAUSE_MS));
    if (pathname === "/login") location.reload();
    else await navigate("/login?registered=true", { state: { email: (reply as { email?: string }).email } });
    return [];
  };
  return { state, failure, fieldErrors, register };
}

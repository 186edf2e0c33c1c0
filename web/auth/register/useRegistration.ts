import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { registrationFailure } from "#web/auth/failures.ts";
import { ApiError } from "#web/core/api/http.ts";
import { issuesOf, messageOf } from "#web/core/api/messages.ts";
import { REGISTRATION_PAUSE_MS } from "#shared/auth.ts";

/** Codes that belong to one field, so that the message stands there. */
const fieldOfCode: Record<string, string> = {
  "auth.codeRequired": "accessCode",
  "auth.codeInvalid": "accessCode",
  "auth.emailInvalid": "email",
  "auth.emailInUse": "email",
  "auth.alreadyActive": "email",
  "auth.passwordWeak": "password",
};

export type FieldErrors = Record<string, string>;

/** Sends a registration (`wordsOf`: the sentence for a failure that belongs to no field); afterwards a short pause, then /login?registered=true (spec, section 4). */
export function useRegistration(send: () => Promise<unknown>, wordsOf = registrationFailure) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [state, setState] = useState<"open" | "busy" | "done">("open");
  const [failure, setFailure] = useState<string | null>(null);
  const [faults, setFaults] = useState<FieldErrors>({});

  /** Answers the names of the faulty fields, empty when all went well or the failure belongs to none. */
  const register = async (empty: FieldErrors): Promise<string[]> => {
    setFailure(null);
    setFaults(empty);
    if (Object.keys(empty).length > 0) return Object.keys(empty);
    setState("busy");
    try {
      await send();
    } catch (error) {
      const field = error instanceof ApiError ? fieldOfCode[error.code] : undefined;
      const found = field ? { [field]: messageOf(error) } : issuesOf(error);
      setFaults(found);
      if (Object.keys(found).length === 0) setFailure(wordsOf(error));
      setState("open");
      return Object.keys(found);
    }
    setState("done");
    await new Promise((resolve) => setTimeout(resolve, REGISTRATION_PAUSE_MS));
    if (pathname === "/login") location.reload();
    else await navigate("/login?registered=true");
    return [];
  };
  return { state, failure, faults, register };
}

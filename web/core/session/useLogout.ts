import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { useSession } from "#web/core/session/session.tsx";

/** Signs out and goes to /login (spec, section 1). */
export function useLogout() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async (event?: MouseEvent) => {
    event?.preventDefault();
    await signOut();
    await navigate("/login", { replace: true });
  };
}

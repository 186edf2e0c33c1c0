import type { MouseEvent } from "react";
import { useNavigate } from "react-router";
import { useSession } from "#web/core/session/session.tsx";

/** Signs out and redirects to /login. */
export function useLogout() {
  const { signOut } = useSession();
  const navigate = useNavigate();
  return async (event?: MouseEvent) => {
    event?.preventDefault();
    await signOut();
    await navigate("/login", { replace: true });
  };
}

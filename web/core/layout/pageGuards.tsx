import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { Unauthorized } from "#web/core/layout/Unauthorized.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import type { Guard } from "#web/core/session/guardKinds.ts";
import { clearTarget, storeTarget, targetAfterSignIn } from "#web/core/session/redirects.ts";
import { useSession } from "#web/core/session/session.tsx";
import { homeOf, isAdmin, leadsPeople } from "#shared/core/users.ts";

/** The page where a second factor is set up. */
const FACTOR_PATH = "/account";

/** Shows a page if its guards allow it, otherwise redirects. */
export function Guarded({ guards }: { guards: Guard[] }) {
  const { user, settled, hasSignedOut } = useSession();
  const { pathname, search, hash } = useLocation();

  if (guards.includes("guests")) return <GuestsOnly />;
  // If a second factor is required for admins, the server rejects all other calls until it is set up.
  if (user?.needsFactor && guards.length > 0 && pathname !== FACTOR_PATH) return <Navigate to={FACTOR_PATH} replace />;
  if (guards.length === 0) return <Outlet />;
  if (!user && !settled) return <PageSkeleton />;
  if (!user && hasSignedOut) return <Navigate to="/login" replace />;
  if (!user && guards.includes("auth")) return <RedirectToLogin target={pathname + search + hash} />;
  if (guards.includes("admin") && !isAdmin(user)) return <Unauthorized reason="admins" />;
  if (guards.includes("leads") && !leadsPeople(user)) return <Unauthorized reason="managers" />;
  return <Outlet />;
}

function RedirectToLogin({ target }: { target: string }) {
  useEffect(() => storeTarget(target), [target]);
  return <Navigate to={`/login?redirect=${encodeURIComponent(target)}`} replace />;
}

/** Redirects a signed-in user to their home page; a user who has just signed in here, to the redirect target. */
function GuestsOnly() {
  const { user } = useSession();
  const { search } = useLocation();
  const [cameAsGuest] = useState(user === null);
  useEffect(() => {
    if (user && cameAsGuest) return clearTarget;
  }, [user, cameAsGuest]);

  if (!user) return <Outlet />;
  return <Navigate to={cameAsGuest ? targetAfterSignIn(user, search) : homeOf(user)} replace />;
}

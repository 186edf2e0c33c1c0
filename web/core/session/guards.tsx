import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { forgetTarget, rememberTarget, targetAfterSignIn } from "#web/core/session/redirects.ts";
import { useSession } from "#web/core/session/session.tsx";
import { homeOf, isAdmin } from "#shared/users.ts";

/** Guard flags as the route table of the spec (section 2) names them. */
export type Guard = "auth" | "admin" | "guests";

/** Where a second factor is set up. */
const FACTOR_PATH = "/account";

/** Lets a page through, or goes where the rules of the spec send this person. */
export function Guarded({ guards }: { guards: Guard[] }) {
  const { user, settled, left } = useSession();
  const { pathname, search, hash } = useLocation();

  if (guards.includes("guests")) return <GuestsOnly />;
  // Where the operator wants a second factor of admins, the server answers them nothing else before.
  if (user?.needsFactor && guards.length > 0 && pathname !== FACTOR_PATH) return <Navigate to={FACTOR_PATH} replace />;
  if (guards.length === 0) return <Outlet />;
  if (!user && !settled) return <PageSkeleton />;
  if (!user && left) return <Navigate to="/login" replace />;
  if (!user && guards.includes("auth")) return <ToLogin target={pathname + search + hash} />;
  if (guards.includes("admin") && !isAdmin(user)) return <Navigate to="/unauthorized" replace />;
  return <Outlet />;
}

function ToLogin({ target }: { target: string }) {
  useEffect(() => rememberTarget(target), [target]);
  return <Navigate to={`/login?redirect=${encodeURIComponent(target)}`} replace />;
}

/** A signed-in visitor goes home; somebody who signs in right here goes where the redirect says. */
function GuestsOnly() {
  const { user } = useSession();
  const { search } = useLocation();
  const [cameAsGuest] = useState(user === null);
  useEffect(() => {
    if (user && cameAsGuest) return forgetTarget;
  }, [user, cameAsGuest]);

  if (!user) return <Outlet />;
  return <Navigate to={cameAsGuest ? targetAfterSignIn(user, search) : homeOf(user)} replace />;
}

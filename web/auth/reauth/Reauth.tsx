import { lazy, Suspense } from "react";
import { identity } from "#web/core/session/reauth.ts";

const IdentityDialog = lazy(() =>
  import("#web/auth/reauth/ReauthDialog.tsx").then(({ IdentityDialog }) => ({ default: IdentityDialog })),
);

/** Beside the router, over whatever dialog is open; loaded when the server asks for a proof first. */
export function Identity() {
  const { asked } = identity.use();
  return <Suspense>{asked && <IdentityDialog />}</Suspense>;
}

import { lazy, Suspense } from "react";
import { reauthPrompt } from "#web/core/session/reauth.ts";

const IdentityDialog = lazy(() =>
  import("#web/auth/reauth/ReauthDialog.tsx").then(({ ReauthDialog }) => ({ default: ReauthDialog })),
);

/** Beside the router, over whatever dialog is open; loaded when the server asks for a proof first. */
export function Reauth() {
  const { prompt } = reauthPrompt.use();
  return <Suspense>{prompt && <IdentityDialog />}</Suspense>;
}

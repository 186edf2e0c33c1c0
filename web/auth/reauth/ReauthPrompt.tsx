import { lazy, Suspense } from "react";
import { reauthPrompt } from "#web/core/session/reauth.ts";

const LazyReauthDialog = lazy(() =>
  import("#web/auth/reauth/ReauthDialog.tsx").then(({ ReauthDialog }) => ({ default: ReauthDialog })),
);

/**
 * Rendered outside the router, above any open dialog; its code is loaded when the server first requires
 * reauthentication.
 */
export function ReauthPrompt() {
  const { prompt } = reauthPrompt.use();
  return <Suspense>{prompt && <LazyReauthDialog />}</Suspense>;
}

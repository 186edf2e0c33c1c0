import { lazy, Suspense } from "react";
import { loginPrompt } from "#web/core/session/loginPrompt.ts";

const LazyLoginDialog = lazy(() =>
  import("#web/auth/login/LoginDialog.tsx").then(({ LoginDialog }) => ({ default: LoginDialog })),
);

/** Rendered outside the router, above any open dialog; its code is loaded when a session ends. */
export function LoginPrompt() {
  const { user } = loginPrompt.use();
  return <Suspense>{user && <LazyLoginDialog />}</Suspense>;
}

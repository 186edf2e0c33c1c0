import type { ReactNode } from "react";
import { Reauth } from "#web/auth/reauth/Reauth.tsx";
import { ThemeProvider } from "#web/core/brand/ThemeProvider.tsx";
import { LazyOverlays } from "#web/core/dialog/LazyOverlays.tsx";
import { SessionProvider } from "#web/core/session/session.tsx";
import { Consent } from "#web/privacy/Consent.tsx";

/** Everything around the router; the same in the browser and in server-side rendering. */
export const App = ({ children }: { children: ReactNode }) => (
  <SessionProvider>
    <ThemeProvider>
      <Consent />
      {children}
      <LazyOverlays />
      <Reauth />
    </ThemeProvider>
  </SessionProvider>
);

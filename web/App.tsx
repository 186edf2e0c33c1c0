import type { ReactNode } from "react";
import { Reauth } from "#web/auth/reauth/Reauth.tsx";
import { ThemeProvider } from "#web/core/brand/ThemeProvider.tsx";
import { OnDemand } from "#web/core/dialog/OnDemand.tsx";
import { SessionProvider } from "#web/core/session/session.tsx";
import { Consent } from "#web/privacy/Consent.tsx";

/** Everything around the router: the same tree in the browser and where the server draws a public page. */
export const App = ({ children }: { children: ReactNode }) => (
  <SessionProvider>
    <ThemeProvider>
      <Consent />
      {children}
      <OnDemand />
      <Reauth />
    </ThemeProvider>
  </SessionProvider>
);

import type { ReactNode } from "react";
import { ReauthPrompt } from "#web/auth/reauth/ReauthPrompt.tsx";
import { ThemeProvider } from "#web/core/brand/ThemeProvider.tsx";
import { OnDemand } from "#web/core/dialog/OnDemand.tsx";
import { SessionProvider } from "#web/core/session/session.tsx";
import { CookieConsent } from "#web/privacy/CookieConsent.tsx";

/** Everything around the router: the same tree in the browser and where the server draws a public page. */
export const App = ({ children }: { children: ReactNode }) => (
  <SessionProvider>
    <ThemeProvider>
      <CookieConsent />
      {children}
      <OnDemand />
      <ReauthPrompt />
    </ThemeProvider>
  </SessionProvider>
);

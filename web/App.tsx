import type { ReactNode } from "react";
import { LoginPrompt } from "#web/auth/login/LoginPrompt.tsx";
import { SharedDevicePrompt } from "#web/auth/pins/SharedDevicePrompt.tsx";
import { ReauthPrompt } from "#web/auth/reauth/ReauthPrompt.tsx";
import { ThemeProvider } from "#web/core/brand/ThemeProvider.tsx";
import { LazyOverlays } from "#web/core/dialog/LazyOverlays.tsx";
import { SessionProvider } from "#web/core/session/session.tsx";
import { CookieConsent } from "#web/privacy/CookieConsent.tsx";

/** Everything around the router; the same in the browser and in server-side rendering. */
export const App = ({ children }: { children: ReactNode }) => (
  <SessionProvider>
    <ThemeProvider>
      <CookieConsent />
      {children}
      <LazyOverlays />
      <ReauthPrompt />
      <LoginPrompt />
      <SharedDevicePrompt />
    </ThemeProvider>
  </SessionProvider>
);

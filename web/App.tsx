import type { ReactNode } from "react";
import { Identity } from "#web/auth/Identity.tsx";
import { Look } from "#web/core/Look.tsx";
import { OnDemand } from "#web/core/OnDemand.tsx";
import { SessionProvider } from "#web/core/session.tsx";
import { Consent } from "#web/privacy/Consent.tsx";

/** Everything around the router: the same tree in the browser and where the server draws a public page. */
export const App = ({ children }: { children: ReactNode }) => (
  <SessionProvider>
    <Look>
      <Consent />
      {children}
      <OnDemand />
      <Identity />
    </Look>
  </SessionProvider>
);

import type { ReactNode } from "react";
import { useUser } from "#web/core/session/session.tsx";
import type { Screens } from "#web/core/layout/navigation/barLinks.ts";
import { BlankLayout } from "#web/core/layout/BlankLayout.tsx";
import { NavigationBar } from "#web/core/layout/navigation/NavigationBar.tsx";
import { SkipLink } from "#web/core/layout/SkipLink.tsx";

/**
 * Layout of login and registration: the navigation bar above a page that fills the rest of the window. `whole` is the layout of signed-in
 * people, whom their links in emails lead here.
 */
export function BarLayout({ screens, whole }: { screens: Screens; whole: ReactNode }) {
  if (useUser()) return whole;
  return (
    <>
      <SkipLink />
      <NavigationBar screens={screens} />
      <BlankLayout />
    </>
  );
}

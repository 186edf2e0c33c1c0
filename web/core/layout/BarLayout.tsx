import type { ReactNode } from "react";
import { useUser } from "#web/core/session/session.tsx";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { BlankLayout } from "#web/core/layout/BlankLayout.tsx";
import { NavigationBar } from "#web/core/layout/navigation/NavigationBar.tsx";

/** Layout of login and registration: the navigation bar above a page that fills the rest of the window. */
export const BarLayout = ({ screens }: { screens: Screens }) => (
  <>
    <NavigationBar screens={screens} />
    <BlankLayout />
  </>
);

/** Layout of pages to which links in emails lead: that of most pages (`full`) for those who are signed in. */
export const BarOrFullLayout = ({ screens, full }: { screens: Screens; full: ReactNode }) =>
  useUser() ? full : <BarLayout screens={screens} />;

import { type CSSProperties, Suspense, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { HydrationSignal } from "#web/core/rendering/HydrationSignal.tsx";
import { NavigationBar } from "#web/core/layout/navigation/NavigationBar.tsx";
import { Footer } from "#web/core/layout/Footer.tsx";
import classes from "#web/core/layout/Layout.module.css";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { PageBoundary } from "#web/core/layout/PageBoundary.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useShownPath } from "#web/core/layout/pendingNavigation.ts";
import { usePersistedState } from "#web/core/session/persistedState.ts";
import { useUser } from "#web/core/session/session.tsx";
import { TabBar } from "#web/core/layout/navigation/TabBar.tsx";
import { Sidebar } from "#web/core/layout/navigation/Sidebar.tsx";
import { useIsWorkBench } from "#web/core/layout/workBench.ts";

/**
 * The layout of most pages: navigation bar and, for signed-in users, sidebar. Contains the Suspense and error
 * boundaries.
 */
export function Layout({ screens }: { screens: Screens }) {
  const user = useUser();
  const { pathname } = useLocation();
  const [collapsed, setCollapsed] = usePersistedState("sidebar-collapsed", false);
  useShownPath(pathname);

  const isBench = useIsWorkBench();
  // A work bench needs the width: its sidebar is collapsed while it is open.
  const [benchOpen, setBenchOpen] = useState(false);
  const isCollapsed = isBench ? !benchOpen : collapsed;
  const sidebarWidth = isCollapsed ? "60px" : "228px";
  return (
    <div
      className={classes.layout}
      style={{ "--side": user ? sidebarWidth : "0px" } as CSSProperties}
      data-signed-in={user !== null || undefined}
    >
      <NavigationBar screens={screens} hasSheet={user !== null} />
      {user && (
        <Sidebar
          user={user}
          screens={screens}
          collapsed={isCollapsed}
          onCollapse={isBench ? (next) => setBenchOpen(!next) : setCollapsed}
        />
      )}
      <main id="content" tabIndex={-1} className={user ? classes.sheet : classes.ground}>
        <div className={classes.page}>
          <PageBoundary path={pathname}>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
              <HydrationSignal />
            </Suspense>
          </PageBoundary>
        </div>
        {user && <Footer />}
      </main>
      {!user && <Footer wide />}
      <TabBar user={user} />
      <ScrollRestoration />
    </div>
  );
}

import { type CSSProperties, Suspense } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { useTranslation } from "react-i18next";
import { HydrationSignal } from "#web/core/rendering/HydrationSignal.tsx";
import { NavigationBar } from "#web/core/layout/NavigationBar.tsx";
import { Footer } from "#web/core/layout/Footer.tsx";
import classes from "#web/core/layout/Layout.module.css";
import type { Screens } from "#web/core/layout/menu.ts";
import { PageBoundary } from "#web/core/layout/PageBoundary.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useShown } from "#web/core/layout/pendingNavigation.ts";
import { useRemembered } from "#web/core/session/rememberedState.ts";
import { useUser } from "#web/core/session/session.tsx";
import { Sidebar } from "#web/core/layout/Sidebar.tsx";

/** The frame of nearly every page: bar, and for signed-in people sidebar and sheet. Holds the Suspense and the boundary. */
export function Layout({ screens }: { screens: Screens }) {
  const { t } = useTranslation();
  const user = useUser();
  const { pathname } = useLocation();
  const [collapsed, setCollapsed] = useRemembered("sidebar-collapsed", false);
  useShown(pathname);

  const side = !user ? "0px" : collapsed ? "60px" : "228px";
  return (
    <div
      className={classes.layout}
      style={{ "--side": side } as CSSProperties}
      data-signed-in={user !== null || undefined}
    >
      <a href="#content" className={classes.skip}>
        {t("web.skipToContent")}
      </a>
      <NavigationBar screens={screens} />
      {user && <Sidebar user={user} screens={screens} collapsed={collapsed} onCollapse={setCollapsed} />}
      <main id="content" tabIndex={-1} className={user ? classes.sheet : classes.ground}>
        <div className={classes.page}>
          <PageBoundary at={pathname}>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
              <HydrationSignal />
            </Suspense>
          </PageBoundary>
        </div>
        {user && <Footer />}
      </main>
      {!user && <Footer wide />}
      <ScrollRestoration />
    </div>
  );
}

import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { Suspense } from "react";
import { HydrationSignal } from "#web/core/rendering/HydrationSignal.tsx";
import { PageBoundary } from "#web/core/layout/PageBoundary.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useShownPath } from "#web/core/layout/pendingNavigation.ts";

/** Layout of pages that fill the window, such as the player. */
export function BlankLayout() {
  const { pathname } = useLocation();
  useShownPath(pathname);
  return (
    <PageBoundary path={pathname}>
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
        <HydrationSignal />
      </Suspense>
      <ScrollRestoration />
    </PageBoundary>
  );
}

import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { Suspense } from "react";
import { HydrationSignal } from "#web/core/rendering/HydrationSignal.tsx";
import { PageBoundary } from "#web/core/layout/PageBoundary.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useShown } from "#web/core/layout/pendingNavigation.ts";

/** Frame of pages that own the whole window: sign-in and the player. */
export function BlankLayout() {
  const { pathname } = useLocation();
  useShown(pathname);
  return (
    <PageBoundary at={pathname}>
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
        <HydrationSignal />
      </Suspense>
      <ScrollRestoration />
    </PageBoundary>
  );
}

import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { Suspense } from "react";
import { Arrived } from "#web/core/Arrived.tsx";
import { PageBoundary } from "#web/core/PageBoundary.tsx";
import { PageSkeleton } from "#web/core/PageSkeleton.tsx";
import { useShown } from "#web/core/pending.ts";

/** Frame of pages that own the whole window: sign-in and the player. */
export function Bare() {
  const { pathname } = useLocation();
  useShown(pathname);
  return (
    <PageBoundary at={pathname}>
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
        <Arrived />
      </Suspense>
      <ScrollRestoration />
    </PageBoundary>
  );
}

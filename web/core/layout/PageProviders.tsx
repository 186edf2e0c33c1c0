import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, use, useEffect } from "react";
import { Outlet } from "react-router";
import { ClientContext } from "#web/core/api/api.ts";
import { useSession } from "#web/core/session/session.tsx";
import { useBrandQuery } from "#web/core/brand/useBrand.ts";
import { hasDatabase } from "#web/core/storage/hasDatabase.ts";
import { UPLOAD_DATABASE } from "#shared/consent/consent.ts";
import { isAdmin } from "#shared/core/users.ts";

/** What all pages except login need: query client, brand and running uploads. A separate chunk. */
export const PageProviders = ({ children = <Outlet /> }: { children?: ReactNode }) => (
  <QueryClientProvider client={use(ClientContext)}>
    <BrandLoader />
    <UploadResumer />
    <LiveUpdates />
    {children}
  </QueryClientProvider>
);

function BrandLoader() {
  useBrandQuery();
  return null;
}

/** Long after the first paint of most pages: the stream competes with nothing that they load. */
const LIVE_DELAY_MS = 2000;

/** Keeps what is on screen current while somebody is signed in. */
function LiveUpdates() {
  const { user, settled } = useSession();
  const id = settled ? user?.id : undefined;
  useEffect(() => {
    if (!id) return undefined;
    let stop: (() => void) | undefined;
    let isMounted = true;
    const since = Date.now();
    const timer = setTimeout(() => {
      void import("#web/core/live/liveChannel.ts").then(
        ({ followChanges }) => {
          if (isMounted) stop = followChanges(since);
        },
        () => {},
      );
    }, LIVE_DELAY_MS);
    return () => {
      isMounted = false;
      clearTimeout(timer);
      stop?.();
    };
  }, [id]);
  return null;
}

/** Resumes the uploads of this user that were interrupted when the page was closed. */
function UploadResumer() {
  const { user, settled } = useSession();
  const id = settled ? user?.id : undefined;
  const mayUpload = isAdmin(user);
  useEffect(() => {
    let isMounted = true;
    const restore = async (userId: string) => {
      // Only admins have pages that upload; others may have been admins.
      if (!mayUpload && !(await hasDatabase(UPLOAD_DATABASE))) return;
      const { restoreUploads } = await import("#web/core/upload/uploadRestore.ts");
      if (isMounted) await restoreUploads(userId);
    };
    if (id) void restore(id).catch(() => {});
    return () => {
      isMounted = false;
    };
  }, [id, mayUpload]);
  return null;
}

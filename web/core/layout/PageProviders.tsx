import "#web/core/texts.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { use, useEffect } from "react";
import { Outlet } from "react-router";
import { ClientContext } from "#web/core/api/api.ts";
import { useSession } from "#web/core/session/session.tsx";
import { useBrandQuery } from "#web/core/brand/useBrand.ts";

/** What every page but the login needs: answers of the server, the brand, the texts, the uploads that go on. Its own chunk. */
export const PageProviders = () => (
  <QueryClientProvider client={use(ClientContext)}>
    <Brand />
    <Uploads />
    <Outlet />
  </QueryClientProvider>
);

function Brand() {
  useBrandQuery();
  return null;
}

/** Goes on with what this person was uploading when the page was closed. */
function Uploads() {
  const { user, settled } = useSession();
  const id = settled ? user?.id : undefined;
  useEffect(() => {
    let here = true;
    if (id)
      void import("#web/core/upload/uploadRestore.ts").then(
        ({ restoreUploads }) => (here ? restoreUploads(id) : undefined),
        () => {},
      );
    return () => {
      here = false;
    };
  }, [id]);
  return null;
}

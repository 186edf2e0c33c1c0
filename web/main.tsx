import "#web/core/withoutEval.ts";
import "#web/mantine.ts";
import "#web/theme.css";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { App } from "#web/App.tsx";
import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { setRouter } from "#web/core/layout/navigateTo.ts";
import "#web/core/i18n.ts";
import { followRouter } from "#web/core/layout/pendingNavigation.ts";
import { CookieBanner } from "#web/privacy/CookieConsent.tsx";
import { fetchChunks, routes } from "#web/routes.tsx";

// A drawn page stays where somebody has scrolled it.
const router = createBrowserRouter(routes, isServerRendered() ? { hydrationData: { loaderData: {} } } : {});
followRouter(router);
setRouter(router);
const chunks = fetchChunks(router);

const root = document.getElementById("root")!;
const app = (
  <StrictMode>
    <App>
      <RouterProvider router={router} />
    </App>
  </StrictMode>
);
// Everything that is drawn has its code before it is taken over: what is pressed then is heard.
if (isServerRendered())
  void Promise.allSettled([chunks, CookieBanner.fetch()]).then(() =>
    startTransition(() => void hydrateRoot(root, app)),
  );
else createRoot(root).render(app);

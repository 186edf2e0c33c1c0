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
import { preloadChunks, routes } from "#web/routes.tsx";

// Hydration data keeps the scroll position of a server-rendered page.
const router = createBrowserRouter(routes, isServerRendered() ? { hydrationData: { loaderData: {} } } : {});
followRouter(router);
setRouter(router);
const chunks = preloadChunks(router);

const root = document.getElementById("root")!;
const app = (
  <StrictMode>
    <App>
      <RouterProvider router={router} />
    </App>
  </StrictMode>
);
// All chunks of the rendered page are loaded before hydration, so that no input is lost.
if (isServerRendered())
  void Promise.allSettled([chunks, CookieBanner.preload()]).then(() =>
    startTransition(() => void hydrateRoot(root, app)),
  );
else createRoot(root).render(app);

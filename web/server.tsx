import { dehydrate, type FetchQueryOptions, QueryClient } from "@tanstack/react-query";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import { App } from "#web/App.tsx";
import { configuredSignInMethods } from "#web/auth/login/useSignInMethods.ts";
import { academy } from "#web/core/academy/academy.ts";
import { ThemeProvider } from "#web/core/brand/ThemeProvider.tsx";
import { LayoutSkeleton } from "#web/core/layout/LayoutSkeleton.tsx";
import { SessionProvider } from "#web/core/session/session.tsx";
import { ClientContext } from "#web/core/api/api.ts";
import { serverRendering } from "#web/core/format/format.ts";
import { transport } from "#web/core/http/http.ts";
import "#web/core/i18n.ts";
import { MarkdownText } from "#web/core/display/Markdown.tsx";
import { CookieBanner } from "#web/privacy/CookieConsent.tsx";
import { chunksOf, routes } from "#web/routes.tsx";
import { layoutFiles, screens } from "#web/screens.ts";
import type { CreateRenderer, FrameOf, HasPage, RenderPage, RenderedPage } from "#shared/core/rendering.ts";
import type { Academy } from "#shared/settings/settings.ts";

const handler = createStaticHandler(routes);
/** A page may run queries whose results lead to further queries; no page needs more passes than this. */
const MAX_PASSES = 3;
/** Rendering blocks the event loop, so above this number pages that are not cached are left to the browser. */
const MAX_CONCURRENT_RENDERS = 4;
let running = 0;

/**
 * The time that rendering may take: a tenth of one core on average, and at most this many ms at a stretch. When it is
 * used up, pages that are not cached are left to the browser, so that many guests do not slow down everybody else.
 */
const BUDGET_SHARE = 0.1;
const MAX_BUDGET_MS = 3000;
const budget = { ms: MAX_BUDGET_MS, at: performance.now() };
function remainingBudget() {
  const now = performance.now();
  budget.ms = Math.min(MAX_BUDGET_MS, budget.ms + (now - budget.at) * BUDGET_SHARE);
  budget.at = now;
  return budget.ms;
}
function withinBudget<T>(render: () => T): T {
  const start = performance.now();
  try {
    return render();
  } finally {
    budget.ms -= performance.now() - start;
  }
}

/** Screens without a page match nothing: the browser shows the not-found page there. */
const existing = screens.flatMap(({ path, page }) => (page ? [{ path }] : []));
export const hasPage: HasPage = (url) => matchRoutes(existing, url.split("?")[0] ?? "/") !== null;

export const createRenderer: CreateRenderer = (apiFetch) => {
  serverRendering.isActive = true;
  transport.send = apiFetch;
  return renderPage;
};

const renderPage: RenderPage = async ({ url, academy: settings, signInMethods }) => {
  const context = await handler.query(new Request(`http://page${url}`));
  if (context instanceof Response) return null;
  const chunks = chunksOf(context.matches);
  if (!chunks.some(({ ssr }) => ssr)) return null;
  await Promise.all([...chunks, CookieBanner, MarkdownText].map(({ preload }) => preload()));

  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 60_000, networkMode: "always" } },
  });
  const key = JSON.stringify([url, settings, signInMethods]);
  const cached = await findUnchanged(key, client);
  if (cached) return { ...cached, queryData: dehydratedData(client) };
  if (running >= MAX_CONCURRENT_RENDERS || remainingBudget() <= 0) return null;
  running++;
  try {
    return await renderInPasses({ settings, signInMethods, key, client, context, chunks });
  } finally {
    running--;
  }
};

/** The skeleton depends on name and colour of the academy only. */
let skeleton: { settings: string; html: string } | null = null;
function renderSkeleton(settings: unknown) {
  const key = JSON.stringify(settings);
  if (skeleton?.settings === key) return skeleton.html;
  academy.set(settings as Academy | null);
  const html = renderToString(
    <SessionProvider>
      <ThemeProvider>
        <LayoutSkeleton />
      </ThemeProvider>
    </SessionProvider>,
  );
  skeleton = { settings: key, html };
  return html;
}

export const frameOf: FrameOf = ({ url, academy: settings }) => {
  const chunks = chunksOf(matchRoutes(routes, url.split("?")[0] ?? "/") ?? []);
  const files = chunks.flatMap((chunk) => chunk.files);
  return { html: files.includes(layoutFiles[0] as string) ? renderSkeleton(settings) : "", files };
};

type RenderJob = {
  settings: unknown;
  signInMethods: string;
  key: string;
  client: QueryClient;
  context: StaticHandlerContext;
  chunks: ReturnType<typeof chunksOf>;
};

/**
 * Renders until no query is pending. Null if a query fails or MAX_PASSES is reached: the browser then renders the page.
 */
async function renderInPasses(job: RenderJob): Promise<RenderedPage | null> {
  const { settings, signInMethods, key, client, context, chunks } = job;
  const router = createStaticRouter(handler.dataRoutes, context);
  // Synchronous, so that no other request can change the stores that are set here before rendering ends.
  const render = () => {
    academy.set(settings as Academy | null);
    configuredSignInMethods.set(signInMethods);
    return renderToString(
      <StrictMode>
        <ClientContext value={client}>
          <App>
            <StaticRouterProvider router={router} context={context} hydrate={false} />
          </App>
        </ClientContext>
      </StrictMode>,
    );
  };
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const html = withinBudget(render);
    const queries = client.getQueryCache().getAll();
    const pending = queries.filter(
      ({ state, options }) => state.status === "pending" && (options as { enabled?: unknown }).enabled !== false,
    );
    if (pending.length === 0) {
      const files = [...chunks.flatMap((chunk) => chunk.files), "privacy/CookieBanner.tsx"];
      const page = { html, queryData: dehydratedData(client), files };
      cachePage(key, {
        page,
        queries: queries
          .filter(({ state }) => state.data !== undefined)
          .map(({ options }) => options as FetchQueryOptions),
        results: resultsOf(client),
        renderedAt: Date.now(),
      });
      return page;
    }
    const results = await Promise.allSettled(pending.map((query) => query.fetch()));
    if (results.some(({ status }) => status === "rejected")) return null;
  }
  return null;
}

// Rendering takes ten times longer than querying, so a page is only rendered again if its query results have changed.

type CachedPage = { page: RenderedPage; queries: FetchQueryOptions[]; results: string; renderedAt: number };
const MAX_CACHED_PAGES = 200;
const CACHED_MS = 60_000;
const cache = new Map<string, CachedPage>();

const dehydratedData = (client: QueryClient) =>
  client.getQueryCache().getAll().length > 0 ? JSON.stringify(dehydrate(client)) : null;
const resultsOf = (client: QueryClient) =>
  JSON.stringify(
    client
      .getQueryCache()
      .getAll()
      .flatMap(({ queryHash, state }) => (state.data === undefined ? [] : [[queryHash, state.data]])),
  );

function cachePage(key: string, page: CachedPage) {
  cache.delete(key);
  cache.set(key, page);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_PAGES && oldest !== undefined) cache.delete(oldest);
}

/**
 * Repeats the queries of a cached page; returns the page if all results are unchanged and it is less than a minute old.
 */
async function findUnchanged(key: string, client: QueryClient): Promise<RenderedPage | null> {
  const cached = cache.get(key);
  if (!cached || Date.now() - cached.renderedAt > CACHED_MS) return null;
  const results = await Promise.allSettled(cached.queries.map((query) => client.fetchQuery(query)));
  if (results.some(({ status }) => status === "rejected")) client.clear();
  return resultsOf(client) === cached.results ? cached.page : null;
}

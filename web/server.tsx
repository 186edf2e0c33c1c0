import "#web/core/withoutEval.ts";
import { dehydrate, type FetchQueryOptions, QueryClient } from "@tanstack/react-query";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, type StaticHandlerContext, StaticRouterProvider } from "react-router";
import { App } from "#web/App.tsx";
import { configuredSignInMethods } from "#web/auth/login/useSignInMethods.ts";
import { academy } from "#web/core/brand/academy.ts";
import { ClientContext } from "#web/core/api/api.ts";
import { serverRendering } from "#web/core/format/format.ts";
import { transport } from "#web/core/api/http.ts";
import "#web/core/i18n.ts";
import { MarkdownText } from "#web/core/display/Markdown.tsx";
import { CookieBanner } from "#web/privacy/CookieConsent.tsx";
import { chunksOf, routes } from "#web/routes.tsx";
import type { CreateRenderer, RenderPage, RenderedPage } from "#shared/rendering.ts";
import type { Academy } from "#shared/settings.ts";

const handler = createStaticHandler(routes);
/** A page asks for something, draws, and may then ask for more; none of ours goes deeper. */
const ROUNDS = 3;
/** Drawing holds everything else up: when many ask for pages that nobody asked for before, the others draw theirs in the browser. */
const MOST_AT_ONCE = 4;
let drawing = 0;

export const createRenderer: CreateRenderer = (send) => {
  serverRendering.isActive = true;
  transport.send = send;
  return draw;
};

const draw: RenderPage = async ({ url, academy: facts, ways }) => {
  const context = await handler.query(new Request(`http://page${url}`));
  if (context instanceof Response) return null;
  const chunks = chunksOf(context.matches);
  if (!chunks.some(({ ssr }) => ssr)) return null;
  await Promise.all([...chunks, CookieBanner, MarkdownText].map(({ fetch }) => fetch()));

  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 60_000, networkMode: "always" } },
  });
  const key = JSON.stringify([url, facts, ways]);
  const before = await askAgain(key, client);
  if (before) return { ...before, answers: answersOf(client) };
  if (drawing >= MOST_AT_ONCE) return null;
  drawing++;
  try {
    return await paintAll({ facts, ways, key, client, context, chunks });
  } finally {
    drawing--;
  }
};

type Canvas = {
  facts: unknown;
  ways: string;
  key: string;
  client: QueryClient;
  context: StaticHandlerContext;
  chunks: ReturnType<typeof chunksOf>;
};

async function paintAll({ facts, ways, key, client, context, chunks }: Canvas): Promise<RenderedPage | null> {
  const router = createStaticRouter(handler.dataRoutes, context);
  // Drawing never waits, so nothing of another request comes between what is set here and its end.
  const paint = () => {
    academy.set(facts as Academy | null);
    configuredSignInMethods.set(ways);
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
  for (let round = 0; round < ROUNDS; round++) {
    const html = paint();
    const asked = client.getQueryCache().getAll();
    const open = asked.filter(
      ({ state, options }) => state.status === "pending" && (options as { enabled?: unknown }).enabled !== false,
    );
    if (open.length === 0) {
      const drawn = {
        html,
        answers: answersOf(client),
        files: [...chunks.map(({ file }) => file), "privacy/CookieBanner.tsx"],
      };
      keep(key, {
        drawn,
        asked: asked.filter(({ state }) => state.data !== undefined).map(({ options }) => options as Question),
        said: saidBy(client),
        at: Date.now(),
      });
      return drawn;
    }
    // Not found, too many, no answer: the browser asks again and says what it is.
    const answered = await Promise.allSettled(open.map((query) => query.fetch()));
    if (answered.some(({ status }) => status === "rejected")) return null;
  }
  return null;
}

// Drawing takes ten times longer than asking: a page whose answers are the same as before is not drawn again

type Question = FetchQueryOptions;
type Kept = { drawn: RenderedPage; asked: Question[]; said: string; at: number };
const MOST_KEPT = 200;
const KEPT_MS = 60_000;
const kept = new Map<string, Kept>();

const answersOf = (client: QueryClient) =>
  client.getQueryCache().getAll().length > 0 ? JSON.stringify(dehydrate(client)) : null;
const saidBy = (client: QueryClient) =>
  JSON.stringify(
    client
      .getQueryCache()
      .getAll()
      .flatMap(({ queryHash, state }) => (state.data === undefined ? [] : [[queryHash, state.data]])),
  );

function keep(key: string, one: Kept) {
  kept.delete(key);
  kept.set(key, one);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Asks what the page asked last time; what was drawn then when everything is answered as it was, and is not a minute old. */
async function askAgain(key: string, client: QueryClient): Promise<RenderedPage | null> {
  const one = kept.get(key);
  if (!one || Date.now() - one.at > KEPT_MS) return null;
  const answers = await Promise.allSettled(one.asked.map((question) => client.fetchQuery(question)));
  if (answers.some(({ status }) => status === "rejected")) client.clear();
  return saidBy(client) === one.said ? one.drawn : null;
}

import type { ComponentType, ReactNode } from "react";
import { Suspense } from "react";
import type { DataRouter, DataRouteMatch, RouteObject } from "react-router";
import { BarLayout, BarOrFullLayout } from "#web/core/layout/BarLayout.tsx";
import type { Screens } from "#web/core/menu/barLinks.ts";
import { BlankLayout } from "#web/core/layout/BlankLayout.tsx";
import { registerUploadHandler } from "#web/core/upload/uploadHandlers.ts";
import { Guarded } from "#web/core/layout/pageGuards.tsx";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { layoutFiles, providersFile, type Screen, screens } from "#web/screens.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";

/**
 * What a route loads: the function that loads it, and its source files, from which the server derives the files to
 * preload.
 */
export type Chunk = { preload: () => Promise<unknown>; files: string[]; ssr?: true | undefined };

// Pages, each in a separate chunk

const files = import.meta.glob<Record<string, ComponentType>>("./*/**/*Page.tsx");

/** Loads a page module, which must export a component whose name ends in `Page`. */
function screenPage(name: string, ssr?: true) {
  const load = files[`./${name}.tsx`];
  if (!load) throw new Error(`There is no page ${name}`);
  const Page = lazyWithPreload(async () => {
    const [, page] = Object.entries(await load()).find(([exported]) => exported.endsWith("Page")) ?? [];
    if (!page) throw new Error('A page module must export a component whose name ends in "Page"');
    return page;
  });
  return { Page, chunk: { preload: Page.preload, files: [`${name}.tsx`], ssr } satisfies Chunk };
}

const pages = new Map(
  screens.flatMap((screen) => (screen.page ? [[screen.path, screenPage(screen.page, screen.ssr)]] : [])),
);
const notFound = screenPage("core/layout/NotFoundPage");

const routeOf = ({ path, guards }: Screen): RouteObject => {
  const { Page, chunk } = pages.get(path) ?? notFound;
  return { element: <Guarded guards={guards} />, handle: chunk, children: [{ path, element: <Page /> }] };
};

/** Existing pages by path. Menus show only these, and preload a page when the pointer is over its link. */
const screenLoaders: Screens = new Map([...pages].map(([path, { chunk }]) => [path, chunk.preload]));

/** A path without a page shows the not-found page in the full layout. */
const layoutOf = ({ layout, page }: Screen) => (page && layout) || "full";
const routesWith = (layout: ReturnType<typeof layoutOf>, light?: true) =>
  screens.filter((screen) => layoutOf(screen) === layout && screen.light === light).map(routeOf);

/** What happens with uploaded files, independent of the page that is open when an upload is complete. */
registerUploadHandler("package", { atOnce: 1, load: () => import("#web/courses/import/packageUpload.ts") });

registerUploadHandler("people", { atOnce: 1, load: () => import("#web/imports/importUpload.ts") });

registerUploadHandler("draftPackage", {
  atOnce: 1,
  load: () => import("#web/lessons/author/packages/draftPackageUpload.ts"),
});
registerUploadHandler("lessonImport", {
  atOnce: 1,
  load: () => import("#web/lessons/author/transfer/lessonImportUpload.ts"),
});
registerUploadHandler("lesson", { atOnce: 3, load: () => import("#web/lessons/author/lessonUpload.ts") });

registerUploadHandler("document", { atOnce: 3, load: () => import("#web/documents/documentUpload.ts") });

/** Not part of the first chunk, because the login page needs neither providers nor sidebar. */
const Providers = lazyWithPreload(() =>
  import("#web/core/layout/PageProviders.tsx").then(({ PageProviders }) => PageProviders),
);
const Layout = lazyWithPreload(() => import("#web/core/layout/Layout.tsx").then(({ Layout: Component }) => Component));
const withSkeleton = (children: ReactNode) => <Suspense fallback={<PageSkeleton />}>{children}</Suspense>;

const fullLayout = withSkeleton(
  <Providers>
    <Layout screens={screenLoaders} />
  </Providers>,
);

export const routes: RouteObject[] = [
  { element: <BarLayout screens={screenLoaders} />, children: routesWith("bar", true) },
  { element: <BarOrFullLayout screens={screenLoaders} full={fullLayout} />, children: routesWith("barOrFull", true) },
  { element: <BlankLayout />, children: routesWith("none", true) },
  {
    element: withSkeleton(<Providers />),
    handle: { preload: Providers.preload, files: [providersFile] } satisfies Chunk,
    children: [
      { element: <BarLayout screens={screenLoaders} />, children: routesWith("bar") },
      { element: <BlankLayout />, children: routesWith("none") },
      {
        element: withSkeleton(<Layout screens={screenLoaders} />),
        handle: { preload: Layout.preload, files: layoutFiles } satisfies Chunk,
        children: routesWith("full"),
      },
    ],
  },
];

export const chunksOf = (matches: { route: { handle?: unknown } }[]) =>
  matches.flatMap(({ route }) => (route.handle ? [route.handle as Chunk] : []));

/** Loads layout and page of a route in parallel. Resolves when those of the current route are loaded. */
export function preloadChunks(router: DataRouter) {
  const preload = (matches: DataRouteMatch[]) => Promise.allSettled(chunksOf(matches).map((chunk) => chunk.preload()));
  router.subscribe(({ matches, navigation }) => void preload((navigation.matches ?? matches) as DataRouteMatch[]));
  return preload(router.state.matches as DataRouteMatch[]);
}

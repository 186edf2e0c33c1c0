import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type InlineConfig, type Plugin } from "vite";
import { contractSchemas, withoutEval } from "./scripts/_contractSchemas.ts";
import { planChunks } from "./scripts/_chunkPlan.ts";
import { textImports } from "./scripts/_textImports.ts";

/**
 * Entry of the build into dist/web. The player shell is on another origin and has its own configuration
 * (web/shell/vite.config.ts).
 */
const pages = { main: join(import.meta.dirname, "web/index.html") };
const api = process.env.API_URL ?? "http://localhost:3000";
/** The proxied requests keep the host of the development server, so that the server accepts them as same-origin. */
const proxyToApi = { target: api, changeOrigin: false };

/** Removes the JSON Schema generator of zod from the build (6 KB of the first load); only the server needs it. */
const withoutJsonSchema: Plugin = {
  name: "without-json-schema",
  apply: "build",
  transform: {
    filter: { id: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js/ },
    handler(code) {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `absent as ${name}`);
      return `const absent = () => { throw new Error('No JSON schema here') }\nexport { ${names.join(", ")} }`;
    },
  },
};

/** Fails the build if a Mantine component is used whose styles web/mantine.ts does not import. */
const checkMantineStyles: Plugin = {
  name: "check-mantine-styles",
  apply: "build",
  generateBundle(_options, bundle) {
    const styled = new Set(
      [...this.getModuleIds()].flatMap((id) => /@mantine\/core\/styles\/(\w+)\.layer\.css/.exec(id)?.[1] ?? []),
    );
    const used = Object.values(bundle).flatMap((chunk) =>
      chunk.type === "chunk"
        ? Object.entries(chunk.modules)
            .filter(([, { renderedLength }]) => renderedLength > 0)
            .map(([id]) => id)
        : [],
    );
    const missing = used
      .flatMap((id) => /@mantine\/core\/esm\/.*?(\w+)\.module\.mjs/.exec(id)?.[1] ?? [])
      .filter((name) => !styled.has(name));
    if (missing.length > 0 && styled.size > 0) this.error(`web/mantine.ts lacks the styles of ${missing.join(", ")}`);
  },
};

const first = { name: "first", tags: ["$initial" as const] };

/** Style sheets apart from the code that needs them, so that the plan can join them with others. */
const styles = { name: "styles", test: /\.module\.css$/, entriesAware: true };

/**
 * Two builds: the browser application, and with `--ssr` the renderer of public pages for the server, with all
 * dependencies bundled.
 */
const plugins = [textImports, react(), withoutJsonSchema, withoutEval];
const output = { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false as const } };
/** Every page lists the files of all others: each character of a hash costs a quarter of a kilobyte. */
const fileNames = {
  entryFileNames: "assets/[name]-[hash:7].js",
  chunkFileNames: "assets/[name]-[hash:7].js",
  assetFileNames: "assets/[name]-[hash:6][extname]",
};
/** The build on which the plan of the files is based. */
const planned = (): InlineConfig => ({
  configFile: false,
  logLevel: "error",
  root: "web",
  plugins: [...plugins, contractSchemas],
  build: {
    ...output,
    write: false,
    reportCompressedSize: false,
    rolldownOptions: { input: pages, output: { codeSplitting: { groups: [first, styles] } } },
  },
});

export default defineConfig(async ({ command, isSsrBuild }) => {
  const isBrowserBuild = command === "build" && !isSsrBuild;
  const plan = isBrowserBuild ? await planChunks(planned()) : new Map<string, string>();
  const shared = {
    debugName: "shared",
    name: (id: string) => plan.get(id) ?? null,
    includeDependenciesRecursively: false,
  };
  return {
    root: "web",
    plugins: [...plugins, ...(isBrowserBuild ? [contractSchemas] : []), checkMantineStyles],
    server: { port: 5173, proxy: { "/api": proxyToApi, "/v0": proxyToApi } },
    build: isSsrBuild
      ? {
          rolldownOptions: { input: join(import.meta.dirname, "web/server.tsx") },
          outDir: "../dist/ssr",
          emptyOutDir: true,
          copyPublicDir: false,
          target: "node24",
        }
      : {
          outDir: "../dist/web",
          emptyOutDir: true,
          manifest: "chunks.json",
          ...output,
          chunkSizeWarningLimit: 800,
          rolldownOptions: {
            input: pages,
            output: {
              ...fileNames,
              codeSplitting: {
                groups: [first, shared],
              },
            },
          },
        },
    ...(isSsrBuild && { ssr: { noExternal: true as const }, define: { "process.env.NODE_ENV": '"production"' } }),
  };
});

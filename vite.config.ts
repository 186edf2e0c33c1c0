import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Pages that are built into dist/web. The player shell has its own root and config: it lives on another origin. */
const pages = { main: join(import.meta.dirname, "web/index.html") };
const api = process.env.API_URL ?? "http://localhost:3000";
/** The server sees the address of the development server, so that sign-in from its pages is sign-in from its own. */
const same = { target: api, changeOrigin: false };

/** The browser reads contracts but never writes JSON schema: that part of zod (6 KB of the first load) stays out. */
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

/** web/mantine.ts names the styles of the components in use: the build fails when one is used without them. */
const stylesOfMantine: Plugin = {
  name: "styles-of-mantine",
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

/**
 * What is loaded together anyway is one file: a hundred small ones compress worse, and every import waits for all it needs.
 * In this order, each with all that it needs: what the start needs, then the sign-in, the frame of every other page, and what most pages share.
 * Never a page or a frame itself: the manifest must know it by its name (server/core/serverRendering.ts).
 */
const groups = [
  { name: "first", tags: ["$initial" as const] },
  { name: "sign-in", test: /web\/auth\/login\/(LoginForm|ForgotPasswordForm|SecondStep)\.tsx$/ },
  {
    name: "frame",
    test: /web\/core\/(layout\/NavigationBar|layout\/Sidebar|layout\/Footer|texts|brand\/useBrand)\.tsx?$/,
  },
  { name: "often", minShareCount: 14 },
];

/** Two builds: the pages for browsers, and (`--ssr`) the part that draws public pages on the server, with all that it needs inside. */
export default defineConfig(({ isSsrBuild }) => ({
  root: "web",
  plugins: [react(), withoutJsonSchema, stylesOfMantine],
  server: { port: 5173, proxy: { "/api": same, "/v0": same } },
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
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 800,
        rolldownOptions: { input: pages, output: { codeSplitting: { groups } } },
      },
  ...(isSsrBuild && { ssr: { noExternal: true as const }, define: { "process.env.NODE_ENV": '"production"' } }),
}));

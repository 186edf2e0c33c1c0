import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Entry of the build into dist/web. The player shell is on another origin and has its own configuration (web/shell/vite.config.ts). */
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

/** Icons of the chat, which would otherwise be with the menus and pages that also use them. */
const chatIcons =
  "AlertCircle|ArrowUp|ChevronLeft|ChevronRight|Copy|Download|History|Hourglass|MessageChatbot|MessagePlus|Pencil|PlayerStopFilled|Refresh|ThumbDown|ThumbUp|Trash|Volume|VolumeOff|WifiOff|X";

/**
 * Modules that are always loaded together are one file, because many small files compress worse and delay each other. The groups
 * are in order of priority, each with its dependencies: the start, the login, what the cookie banner shares, dialogs, the texts and icons of the chat, the
 * menus and the layout of all other pages, what small parts and public events share, the lists of admins, and what most pages share.
 * Pages and layouts themselves are in no group: the manifest must list them by name (server/core/serverRendering.ts).
 */
const groups = [
  { name: "first", tags: ["$initial" as const] },
  { name: "sign-in", test: /web\/auth\/login\/(LoginForm|ForgotPasswordForm|SecondStep)\.tsx$/ },
  { name: "banner", test: /web\/(core\/dialog\/useDelayedOpen\.ts|privacy\/CookieBanner\.module\.css)/ },
  { name: "dialog", test: /web\/privacy\/CookieDialog\.tsx$/ },
  { name: "chat-parts", test: new RegExp(`(locales/en/chat\\.json|icons/Icon(${chatIcons})\\.mjs)$`) },
  {
    name: "frame",
    test: /web\/core\/(layout\/AccountMenu|layout\/MenuDrawer|layout\/Sidebar|layout\/Footer|texts|textFiles|brand\/useBrand)\.tsx?$/,
  },
  { name: "parts", test: /web\/core\/(layout\/EmptyState|display\/Pill|display\/StatusDot|layout\/useIsPhone)\.tsx?$/ },
  { name: "events", test: /web\/events\/public\/(EventAction|EventCard|EventDetails|EventNotice)\.tsx$/ },
  { name: "lists", test: /web\/core\/table\/DataTable\.tsx$/ },
  { name: "often", minShareCount: 14 },
];

/** Two builds: the browser application, and with `--ssr` the renderer of public pages for the server, with all dependencies bundled. */
export default defineConfig(({ isSsrBuild }) => ({
  root: "web",
  plugins: [react(), withoutJsonSchema, checkMantineStyles],
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
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 800,
        rolldownOptions: { input: pages, output: { codeSplitting: { groups } } },
      },
  ...(isSsrBuild && { ssr: { noExternal: true as const }, define: { "process.env.NODE_ENV": '"production"' } }),
}));

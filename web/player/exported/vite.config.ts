import { DEFAULT_THEME, defaultCssVariablesResolver, type MantineTheme, mergeMantineTheme } from "@mantine/core";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { contractSchemas, withoutEval } from "../../../scripts/_contractSchemas.ts";
import { textImports } from "../../../scripts/_textImports.ts";
import { cssVariables, theme } from "../../core/brand/theme.ts";

/** The variables that MantineProvider would write into the page, whose policy allows no inline styles. */
function writeVariables() {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme) as MantineTheme;
  const block = (selector: string, pick: "variables" | "light" | "dark") => {
    const all = { ...defaultCssVariablesResolver(merged)[pick], ...cssVariables(merged)[pick] };
    const lines = Object.entries(all).map(([name, value]) => `${name}:${value};`);
    return `${selector}{${lines.join("")}}`;
  };
  return [
    block(":root", "variables"),
    block(':root[data-mantine-color-scheme="light"]', "light"),
    block(':root[data-mantine-color-scheme="dark"]', "dark"),
  ].join("\n");
}
const themeVariables: Plugin = {
  name: "theme-variables",
  enforce: "pre",
  resolveId: (id) => (id === "virtual:theme.css" ? "\0theme.css" : undefined),
  load: (id) => (id === "\0theme.css" ? writeVariables() : undefined),
};

/** Answers of button prompts, which do not run elsewhere, are the only Markdown of a lesson. */
const withoutMarkdown: Plugin = {
  name: "without-markdown",
  enforce: "pre",
  load: { filter: { id: /display\/MarkdownText\.tsx$/ }, handler: () => "export const MarkdownText = () => null" },
};

/**
 * Builds the page of exported courses into dist/exported: a classic script, because browsers load no modules from a
 * disk.
 */
export default defineConfig({
  root: "web/player/exported",
  base: "./",
  publicDir: false,
  plugins: [themeVariables, withoutMarkdown, contractSchemas, withoutEval, textImports, react()],
  build: {
    outDir: "../../../dist/exported",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: "web/player/exported/main.tsx",
      transform: { define: { "import.meta": "{}" } },
      output: {
        format: "iife",
        codeSplitting: false,
        entryFileNames: "player.js",
        assetFileNames: ({ names }) => (names[0]?.endsWith(".css") ? "player.css" : "[name][extname]"),
      },
    },
  },
});

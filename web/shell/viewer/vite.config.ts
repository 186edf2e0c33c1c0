import { defineConfig } from "vite";

/**
 * Builds the page that shows recordings, into dist/shell: one file, because its policy names the only script that may
 * run. Runs after the build of the shell, which empties the folder.
 */
export default defineConfig({
  root: "web/shell",
  base: "/shell/",
  publicDir: false,
  build: {
    outDir: "../../dist/shell",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: "web/shell/viewer/main.ts",
      output: { entryFileNames: "viewer-[hash].js", codeSplitting: false },
    },
  },
});

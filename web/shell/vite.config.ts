import { defineConfig } from "vite";
import { contractSchemas } from "../../scripts/_contractSchemas.ts";

/** Builds the player shell into dist/shell: a separate bundle for the content origin, with one entry. */
export default defineConfig({
  root: "web/shell",
  base: "/shell/",
  publicDir: false,
  plugins: [contractSchemas],
  build: {
    outDir: "../../dist/shell",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: "web/shell/main.ts",
      output: { entryFileNames: "shell-[hash].js", chunkFileNames: "part-[hash].js" },
    },
  },
});

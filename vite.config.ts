import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Pages that are built into dist/web. The player shell has its own root and config: it lives on another origin. */
const pages = { main: join(import.meta.dirname, 'web/index.html') }
const api = process.env.API_URL ?? 'http://localhost:3000'
/** The server sees the address of the development server, so that sign-in from its pages is sign-in from its own. */
const same = { target: api, changeOrigin: false }

/** The browser reads contracts but never writes JSON schema: that part of zod (6 KB of the first load) stays out. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js/ },
    handler(code) {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `absent as ${name}`)
      return `const absent = () => { throw new Error('No JSON schema here') }\nexport { ${names.join(', ')} }`
    },
  },
}

/** What the sign-in loads anyway goes into one chunk: twenty small ones compress worse. */
const first = /node_modules\/(react|react-dom|scheduler|react-router|i18next|clsx|zod)\//

export default defineConfig({
  root: 'web',
  plugins: [react(), withoutJsonSchema],
  server: { port: 5173, proxy: { '/api': same, '/v0': same } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pages, output: { codeSplitting: { groups: [{ name: 'first', test: first }] } } },
  },
})

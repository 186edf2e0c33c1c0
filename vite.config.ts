import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Pages that are built into dist/web. The player shell has its own root and config: it lives on another origin. */
const pages = { main: 'web/index.html' }
const api = process.env.API_URL ?? 'http://localhost:3000'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  server: { port: 5173, proxy: { '/api': api, '/v0': api } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: { input: pages },
  },
  test: {
    root: '.',
    environment: 'node',
    include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

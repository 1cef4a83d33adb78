import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The browser's part only: src/server serves what is built here.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // nothing inline: the content security policy allows neither inline code nor data as code
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
})

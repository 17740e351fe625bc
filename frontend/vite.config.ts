import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page for the gateway; with `--mode gallery`, every state of it on a page of its own. */
export default defineConfig(({ mode }) => ({
  plugins: [react()],
  base: "/",
  build: {
    target: "es2022",
    outDir: mode === "gallery" ? "build/gallery" : "dist",
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: mode === "gallery" ? "gallery.html" : "index.html",
      output: {
        codeSplitting: {
          groups: [{ name: "livekit", test: /node_modules[\\/](livekit-client|@livekit)/ }],
        },
      },
    },
  },
  server: {
    proxy: { "/api": { target: "http://localhost:8080", changeOrigin: true } },
  },
}));

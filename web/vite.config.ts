import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type ProxyOptions } from "vite";

/** Where the development server finds an engine; the built page is served by the API itself. */
const api = process.env.TREADLE_API ?? "http://127.0.0.1:8420";

function proxy(): ProxyOptions {
  const file = process.env.TREADLE_TOKEN_FILE;
  const token = file === undefined ? "" : readFileSync(file, "utf8").trim();
  return {
    target: api,
    changeOrigin: true,
    headers: { Authorization: `Bearer ${token}`, Origin: api },
  };
}

export default defineConfig(({ command }) => ({
  plugins: [react()],
  resolve: { alias: { "@": new URL("src", import.meta.url).pathname } },
  build: {
    outDir: "../api/page.fresh",
    emptyOutDir: true,
    target: "es2023",
    sourcemap: false,
    modulePreload: { polyfill: false },
    // what nearly all screens use in one file: each file is a request of its own
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "common", minShareCount: 15 }] } },
    },
  },
  server: { host: "127.0.0.1", ...(command === "serve" ? { proxy: { "/v1": proxy() } } : {}) },
}));

import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";
import type { SCREENS } from "./src/shell/routes.ts";

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

/** Lists the paths of the screens beside the page, for the API that answers them with the page. */
const screens: Plugin = {
  name: "screens",
  async generateBundle() {
    const routes = new URL("src/shell/routes.ts", import.meta.url).href;
    const table = ((await import(routes)) as { SCREENS: typeof SCREENS }).SCREENS;
    const source = JSON.stringify(table.map(({ path }) => path));
    this.emitFile({ type: "asset", fileName: "screens.json", source });
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), screens],
  resolve: {
    alias: {
      "@": new URL("src", import.meta.url).pathname,
      // its module for browsers sets innerHTML, which the page's policy (Trusted Types) refuses
      "decode-named-character-reference": new URL(
        "node_modules/decode-named-character-reference/index.js",
        import.meta.url,
      ).pathname,
    },
  },
  build: {
    outDir: "../api/page.fresh",
    emptyOutDir: true,
    target: "es2023",
    sourcemap: false,
    modulePreload: { polyfill: false },
    // what nearly all screens use in one file: each file is a request of its own; with a smaller
    // share, what lies over a page (menus, dialogs) is in it, which the inbox does not need
    rolldownOptions: {
      // the pages that sign in with a passkey have one script, at an address that their policy names
      // and what shows news while the page is closed lies at the root, for it is of the whole page
      input: {
        index: "index.html",
        passkey: "src/passkey.ts",
        "news-worker": "src/news-worker.ts",
      },
      output: {
        entryFileNames: ({ name }) =>
          name === "passkey" || name === "news-worker" ? "[name].js" : "assets/[name]-[hash].js",
        codeSplitting: { groups: [{ name: "common", minShareCount: 24 }] },
      },
    },
  },
  server: { host: "127.0.0.1", ...(command === "serve" ? { proxy: { "/v1": proxy() } } : {}) },
}));

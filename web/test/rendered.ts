/** Renders components to HTML as the page does, from what its queries have already read. */

import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement, type FunctionComponent, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import typescript from "typescript";
import { Router } from "wouter";

// without locks the page opens no channel to its other tabs, which would hold the process
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "", platform: "" } });
const nothingSaved = { getItem: () => null, setItem: () => undefined };
Object.defineProperty(globalThis, "localStorage", { value: nothingSaved });

const SRC = new URL("../src/", import.meta.url);
const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];
const At = Router as FunctionComponent<{ readonly ssrPath: string }>;
const { JsxEmit, ModuleKind, ScriptTarget } = typescript;

/** Return the file that an import means, as the bundler finds it; null where it is of a package. */
function fileOf(name: string, importer: string | undefined): URL | null {
  const isOwn = name.startsWith("@/");
  if (!isOwn && !(name.startsWith(".") && importer?.startsWith(SRC.href))) {
    return null;
  }
  const path = isOwn ? new URL(name.slice(2), SRC).href : new URL(name, importer).href;
  const found = ENDINGS.map((ending) => new URL(path + ending)).find(
    (url) => existsSync(url) && /\.\w+$/.test(url.pathname),
  );
  return found ?? null;
}

/** React for the page's modules: stores outside of React have no other snapshot for a server. */
const REACT = "page:react";
const REACT_SOURCE = `
  export * from "${import.meta.resolve("react")}";
  export const useSyncExternalStore = (_subscribe, snapshot) => snapshot();
`;

registerHooks({
  resolve(name, context, next) {
    if (name === "react" && context.parentURL?.startsWith(SRC.href)) {
      return { url: REACT, shortCircuit: true };
    }
    const file = fileOf(name, context.parentURL);
    return file === null ? next(name, context) : { url: file.href, shortCircuit: true };
  },
  load(url, context, next) {
    if (url === REACT) {
      return { format: "module", source: REACT_SOURCE, shortCircuit: true };
    }
    if (url.endsWith("?worker&url")) {
      return { format: "module", source: 'export default "";', shortCircuit: true };
    }
    if (url.endsWith(".css")) {
      return { format: "module", source: "export default {};", shortCircuit: true };
    }
    if (!url.endsWith(".tsx")) {
      return next(url, context);
    }
    const { outputText } = typescript.transpileModule(readFileSync(fileURLToPath(url), "utf8"), {
      compilerOptions: {
        jsx: JsxEmit.ReactJSX,
        module: ModuleKind.ESNext,
        target: ScriptTarget.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    return { format: "module", source: outputText, shortCircuit: true };
  },
});

/** Return a module of the page, by its path below `src/`. */
export async function moduleOf<M>(path: string): Promise<M> {
  return (await import(new URL(path, SRC).href)) as M;
}

/** Return the HTML of an element at an address; `read` has what each query key was answered. */
export function rendered(
  element: ReactElement,
  read: readonly (readonly [readonly unknown[], unknown])[],
  address = "/",
): string {
  const client = new QueryClient();
  for (const [key, data] of read) {
    client.setQueryData(key, data);
  }
  const routed = createElement(At, { ssrPath: address }, element);
  const styled = createElement(MantineProvider, { withCssVariables: false }, routed);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, styled)).replace(
    /<style.*?<\/style>/gs,
    "",
  );
}

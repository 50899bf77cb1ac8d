/** Which files can be seen otherwise than as lines, by their names; pure. */

/** How a file can be seen beside its lines. */
export type RenderedKind = "picture" | "markdown" | "notebook";

const ENDINGS: ReadonlyMap<string, RenderedKind> = new Map([
  ["png", "picture"],
  ["jpg", "picture"],
  ["jpeg", "picture"],
  ["gif", "picture"],
  ["webp", "picture"],
  ["svg", "picture"],
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["ipynb", "notebook"],
]);

/** What each is called. */
export const RENDERED_LABELS: Readonly<Record<RenderedKind, string>> = {
  picture: "Picture",
  markdown: "Rendered",
  notebook: "Notebook",
};

/** Return how a file can be seen; null for one that is lines alone. */
export function renderedKind(path: string): RenderedKind | null {
  return ENDINGS.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? null;
}

/** Tell whether a picture is text, whose patch has its lines. */
export function isVector(path: string): boolean {
  return path.toLowerCase().endsWith(".svg");
}

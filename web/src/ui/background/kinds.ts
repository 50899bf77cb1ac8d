/** What a piece of code is, as far as it has a colour of its own; pure. */

/** The kinds by their number; the first is everything else. */
export const KINDS = [
  "",
  "comment",
  "keyword",
  "string",
  "number",
  "title",
  "added",
  "removed",
] as const;

/** The name of a kind. */
export type Kind = (typeof KINDS)[number];

const OF_CLASSES: Readonly<Record<string, Kind>> = {
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  keyword: "keyword",
  "selector-tag": "keyword",
  section: "keyword",
  name: "keyword",
  "selector-id": "keyword",
  "selector-class": "keyword",
  strong: "keyword",
  string: "string",
  regexp: "string",
  code: "string",
  number: "number",
  literal: "number",
  attr: "number",
  attribute: "number",
  symbol: "number",
  bullet: "number",
  link: "number",
  meta: "number",
  title: "title",
  built_in: "title",
  type: "title",
  variable: "title",
  "template-variable": "title",
  addition: "added",
  deletion: "removed",
};

/** Return the kind of a highlighter's class, as a number; null of one that has no colour of its own. */
export function kindOf(className: string): number | null {
  if (className === "hljs-subst") {
    return 0;
  }
  const kind = OF_CLASSES[className.replace(/^hljs-/, "")];
  return kind === undefined ? null : KINDS.indexOf(kind);
}

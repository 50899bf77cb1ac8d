/** Lines of an amendment's card, each with its sign as colour and letter. */

import classes from "@/plans/changes.module.css";

/** Show `+`, `~`, `-` and `?` lines; an indented one belongs to the line above. */
export function AmendmentLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={classes.lines} aria-label="Changes">
      {lines.map((line) => (
        <li key={line} data-sign={line[0]} className={classes.line}>
          {line.replace(/^- /, "− ")}
        </li>
      ))}
    </ul>
  );
}

/** What is wrong with a field, below it. */

import classes from "@/screens/new_thread/new_thread.module.css";

/** Say it; nothing where nothing is wrong. */
export function FieldError({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p className={classes.error} role="alert">
      {text}
    </p>
  );
}

/** A form that its screen sends by itself. */

import type { ComponentPropsWithoutRef } from "react";

interface Props extends Omit<ComponentPropsWithoutRef<"form">, "onSubmit"> {
  readonly onSubmit: () => void;
}

/** Show a form; submitting it does not leave the page. */
export function Form({ onSubmit, ...rest }: Props) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** What the reader folded out or in, kept while rows come and go with scrolling. */

import { createContext, useContext, useState } from "react";

/** The rows of one conversation that the reader changed. */
export class Opened {
  readonly #by = new Map<string, boolean>();

  of(key: string, isOpen: boolean): boolean {
    return this.#by.get(key) ?? isOpen;
  }

  set(key: string, isOpen: boolean): void {
    this.#by.set(key, isOpen);
  }
}

/** The rows of the conversation that a part is in. */
export const OpenedContext = createContext<Opened | null>(null);

/** Whether a row is folded out, and how it is changed; `isOpen` until the reader says otherwise. */
export function useOpened(key: string, isOpen = false): readonly [boolean, () => void] {
  const saved = useContext(OpenedContext);
  const [own, setOwn] = useState<boolean | null>(null);
  const present = own ?? saved?.of(key, isOpen) ?? isOpen;
  const toggle = () => {
    saved?.set(key, !present);
    setOwn(!present);
  };
  return [present, toggle];
}

/** A long list in parts: the first of it, a field that finds others, and a button that shows more. */

import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { firstOf, matching } from "@/ui/short_list";

const LONG = 60;
const STEP = 100;

interface ShortList<T> {
  readonly shown: readonly T[];
  /** The field that finds; nothing where the list is short. */
  readonly field: ReactNode;
  /** The button that shows more; nothing where all are shown. */
  readonly more: ReactNode;
}

/** Show a hundred of many items at a time; `isKept` names those that are always among them. */
export function useShortList<T>(
  all: readonly T[],
  noun: string,
  textOf: (item: T) => string,
  isKept: (item: T) => boolean,
): ShortList<T> {
  const [sought, setSought] = useState("");
  const [limit, setLimit] = useState(STEP);
  const words = useDeferredValue(sought);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how an item reads follows from the item
  const found = useMemo(() => matching(all, words, textOf), [all, words]);
  const shown = all.length > LONG ? firstOf(found, limit, isKept) : all;
  const left = all.length > LONG ? found.length - shown.length : 0;
  return {
    shown,
    field: all.length > LONG && (
      <TextInput
        type="search"
        mx="sm"
        my={6}
        size="xs"
        aria-label={`Find a ${noun}`}
        placeholder={`Find a ${noun} among ${all.length.toLocaleString("en")}`}
        value={sought}
        onChange={(event) => {
          setSought(event.currentTarget.value);
          setLimit(STEP);
        }}
        rightSectionWidth={90}
        rightSection={words !== "" && <span className="dim">{found.length} found</span>}
      />
    ),
    more: left > 0 && (
      <Button variant="default" size="xs" onClick={() => setLimit(limit + STEP)}>
        Show {Math.min(STEP, left)} more of {left}
      </Button>
    ),
  };
}

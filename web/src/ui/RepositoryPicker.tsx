/** Which repository: one that was worked in before, or a typed path. */

import { Autocomplete } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useRepositories } from "@/api/resources";
import classes from "@/ui/pickers.module.css";

interface Props {
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly label?: string;
  readonly description?: string;
  readonly error?: string;
  readonly isRequired?: boolean;
}

const SETTLED_MS = 400;

/** Take the path of a repository, every keystroke of it. */
export function RepositoryPicker({
  value,
  onChange,
  label = "Repository",
  description,
  error,
  isRequired = false,
}: Props) {
  const known = useRepositories();
  return (
    <Autocomplete
      size="xs"
      label={label}
      placeholder="/home/you/code/app"
      data={[...known]}
      value={value}
      onChange={onChange}
      required={isRequired}
      description={description}
      error={error}
      limit={12}
      withScrollArea={false}
      classNames={{ input: classes.path, dropdown: classes.dropdown, option: classes.path }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/**
 * Narrow a screen to a repository: the path is taken when it is chosen, or typed and left alone.
 *
 * The choice is remembered in this browser, so the next screen begins with it.
 */
export function RepositoryFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (path: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const path = typed.trim();
    if (path === value || (path !== "" && !path.startsWith("/"))) {
      return;
    }
    const timer = setTimeout(() => onChange(path), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <div className={classes.filter}>
      <RepositoryPicker value={typed} onChange={setTyped} label="Repository" />
    </div>
  );
}

const REMEMBERED = "treadle.repository";

/**
 * The repository that a screen is narrowed to; empty is none.
 *
 * It stands in the address, so that a link shows the same, and is remembered in this browser.
 */
export function useChosenRepository(): readonly [string, (path: string) => void] {
  const [query, setQuery] = useSearchParams();
  const path = query.get("repository") ?? localStorage.getItem(REMEMBERED) ?? "";
  const choose = useCallback(
    (chosen: string) => {
      localStorage.setItem(REMEMBERED, chosen);
      setQuery(
        (before) => {
          before.set("repository", chosen);
          return before;
        },
        { replace: true },
      );
    },
    [setQuery],
  );
  return [path, choose];
}

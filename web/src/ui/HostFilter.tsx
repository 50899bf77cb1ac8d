/** Whose files a screen shows: those of one host; shown only where there is more than one. */

import { NativeSelect } from "@mantine/core";
import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { useHosts } from "@/api/resources";
import { hostChoices, hostIdOf } from "@/ui/hosts";
import classes from "@/ui/pickers.module.css";

interface Props {
  readonly value: string;
  readonly onChange: (host: string) => void;
}

/** Narrow a screen to the files of a host. */
export function HostFilter({ value, onChange }: Props) {
  const hosts = useHosts().data?.hosts ?? [];
  if (hosts.length < 2 && value === "") {
    return null;
  }
  return (
    <div className={classes.filter}>
      <NativeSelect
        size="xs"
        label="Host"
        value={hostIdOf(hosts, value)}
        data={[{ value: "", label: "Any host" }, ...hostChoices(hosts, value)]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

/** The host that a screen is narrowed to, which stands in the address; empty is none. */
export function useChosenHost(): readonly [string, (host: string) => void] {
  const [query, setQuery] = useSearchParams();
  const choose = useCallback(
    (chosen: string) =>
      setQuery(
        (before) => {
          before.set("host", chosen);
          return before;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [query.get("host") ?? "", choose];
}

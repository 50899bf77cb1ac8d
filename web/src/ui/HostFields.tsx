/** Which host does the work; shown where there is more than one, or where the choice was refused. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useHosts } from "@/api/resources";
import { hostChoices, hostIdOf } from "@/ui/hosts";

/** The host or labels asked for; an empty host is any that can do the work. */
export interface HostWish {
  readonly host: string;
  /** Labels that the host must have, as they are typed. */
  readonly labels: string;
}

interface Props {
  readonly value: HostWish;
  readonly onChange: (wish: HostWish) => void;
  readonly error?: string | undefined;
}

/** Take a host, or labels that it must have. */
export function HostFields({ value, onChange, error }: Props) {
  const hosts = useHosts().data?.hosts ?? [];
  const isAsked = value.host !== "" || value.labels !== "" || error !== undefined;
  if (hosts.length < 2 && !isAsked) {
    return null;
  }
  return (
    <>
      <NativeSelect
        size="xs"
        label="Host"
        description="where the work runs"
        value={hostIdOf(hosts, value.host)}
        error={error}
        data={[{ value: "", label: "Any that can do it" }, ...hostChoices(hosts, value.host)]}
        onChange={(event) => onChange({ ...value, host: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        label="Host labels"
        description="comma-separated; the host must have all"
        placeholder="gpu, zone=a"
        value={value.labels}
        spellCheck={false}
        onChange={(event) => onChange({ ...value, labels: event.currentTarget.value })}
      />
    </>
  );
}

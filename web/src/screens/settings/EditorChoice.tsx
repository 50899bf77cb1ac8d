/** The editor that this browser's person uses, and how they reach each host by ssh. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useHosts } from "@/api/resources";
import classes from "@/screens/settings/settings.module.css";
import { chooseEditor, setSshTo, useChosenEditor, useSshTo } from "@/ui/editor_choice";
import { EDITORS, isEditor, isSshTarget } from "@/ui/editors";
import { Panel } from "@/ui/Panel";

/** Show what "Open in …" opens; it is kept in this browser. */
export function EditorChoice() {
  const chosen = useChosenEditor();
  const hosts = useHosts();
  const names = Object.entries(EDITORS).map(([value, label]) => ({ value, label }));
  return (
    <Panel title="Editor">
      <div className={classes.notifications}>
        <NativeSelect
          label="Open files and worktrees in"
          value={chosen ?? ""}
          data={chosen === null ? [{ value: "", label: "ask the first time" }, ...names] : names}
          onChange={(event) => {
            const wanted = event.currentTarget.value;
            if (isEditor(wanted)) {
              chooseEditor(wanted);
            }
          }}
        />
        {hosts.data?.hosts.map((host) => (
          <Reached key={host.host} host={host.name} />
        ))}
      </div>
    </Panel>
  );
}

function Reached({ host }: { readonly host: string }) {
  const saved = useSshTo(host);
  const [typed, setTyped] = useState(saved);
  const isWrong = typed !== "" && !isSshTarget(typed);
  return (
    <TextInput
      label={`SSH host of ${host}`}
      description="A host in your SSH config, or user@host. Leave empty for this computer."
      value={typed}
      error={isWrong ? "Not a valid host." : null}
      onChange={(event) => {
        const target = event.currentTarget.value.trim();
        setTyped(target);
        if (target === "" || isSshTarget(target)) {
          setSshTo(host, target);
        }
      }}
    />
  );
}

/** Settings: how the page looks and tells, what this browser keeps, and how the engine is. */

import {
  Button,
  type MantineColorScheme,
  SegmentedControl,
  Switch,
  useMantineColorScheme,
} from "@mantine/core";
import { useState } from "react";
import { setSingleKeys, useSingleKeys } from "@/keyboard/registry";
import { EditorChoice } from "@/screens/settings/EditorChoice";
import { Engine } from "@/screens/settings/Engine";
import { Notifications } from "@/screens/settings/Notifications";
import { Passkeys } from "@/screens/settings/Passkeys";
import classes from "@/screens/settings/settings.module.css";
import { Trackers } from "@/screens/settings/Trackers";
import { KeyList } from "@/ui/KeyList";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";

export default function Screen() {
  return (
    <Page title="Settings">
      <div className={classes.settings}>
        <Appearance />
        <EditorChoice />
        <Notifications />
        <Passkeys />
        <Trackers />
        <Engine />
        <Browser />
        <Keys />
      </div>
    </Page>
  );
}

const SCHEMES: readonly { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Panel title="Appearance">
      <SegmentedControl
        aria-label="Theme"
        data={[...SCHEMES]}
        value={colorScheme}
        onChange={(value) => {
          const scheme = SCHEMES.find((each) => each.value === value);
          setColorScheme(scheme?.value ?? "auto");
        }}
      />
    </Panel>
  );
}

function Keys() {
  const isOn = useSingleKeys();
  return (
    <Panel title="Keyboard shortcuts">
      <Switch
        size="xs"
        label="Single-key shortcuts"
        description="Always off while you type."
        checked={isOn}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
      <p className="dim">Each screen adds its own: press ? there to see them.</p>
      <KeyList />
    </Panel>
  );
}

/** What this browser keeps of the page, by what its names begin with. */
function savedKeys(beginning: string): readonly string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(beginning));
}

function Browser() {
  const [, again] = useState(0);
  const drafts = savedKeys("treadle.draft.");
  const widths = savedKeys("treadle.split.");
  const forget = (names: readonly string[]) => {
    for (const name of names) {
      localStorage.removeItem(name);
    }
    again((count) => count + 1);
  };
  return (
    <Panel title="Saved in this browser">
      <dl className={classes.facts}>
        <dt>Drafts</dt>
        <dd>
          {drafts.length === 0 ? "none" : drafts.length}
          {drafts.length > 0 && (
            <Button variant="subtle" color="red" onClick={() => forget(drafts)}>
              Clear
            </Button>
          )}
        </dd>
        <dt>Pane widths</dt>
        <dd>
          {widths.length === 0 ? "default" : widths.length}
          {widths.length > 0 && (
            <Button variant="subtle" color="gray" onClick={() => forget(widths)}>
              Reset
            </Button>
          )}
        </dd>
      </dl>
    </Panel>
  );
}

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
import { Engine } from "@/screens/settings/Engine";
import classes from "@/screens/settings/settings.module.css";
import { type DesktopState, setDesktop, useDesktop } from "@/ui/desktop";
import { KeyList } from "@/ui/KeyList";
import { Panel } from "@/ui/Panel";
import { Page } from "@/ui/Room";

export default function Screen() {
  return (
    <Page title="Settings">
      <div className={classes.settings}>
        <Looks />
        <Telling />
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
  { value: "auto", label: "As the system" },
];

function Looks() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Looks">
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

const DESKTOP: Readonly<Record<DesktopState, string>> = {
  on: "You are told when something new needs you and no tab of this page is seen.",
  off: "Only the tab's title and icon tell.",
  offer: "Only the tab's title and icon tell.",
  later: "Only the tab's title and icon tell.",
  denied: "This browser was told not to show them: its site settings change that.",
  impossible: "This browser cannot show them here.",
};

function Telling() {
  const desktop = useDesktop();
  const isFixed = desktop === "denied" || desktop === "impossible";
  return (
    <Panel title="Notifications">
      <Switch
        size="xs"
        label="Desktop notifications for new entries of the inbox"
        description={DESKTOP[desktop]}
        checked={desktop === "on"}
        disabled={isFixed}
        onChange={(event) => void setDesktop(event.currentTarget.checked)}
      />
    </Panel>
  );
}

function Keys() {
  const isOn = useSingleKeys();
  return (
    <Panel title="Keys">
      <Switch
        size="xs"
        label="Single keys, without Mod"
        description="They are off while you type in any case."
        checked={isOn}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
      <p className="dim">Each screen adds its own: press ? on it to see them.</p>
      <KeyList />
    </Panel>
  );
}

/** What this browser keeps of the page, by what its names begin with. */
function kept(beginning: string): readonly string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(beginning));
}

function Browser() {
  const [, again] = useState(0);
  const drafts = kept("treadle.draft.");
  const widths = kept("treadle.split.");
  const forget = (names: readonly string[]) => {
    for (const name of names) {
      localStorage.removeItem(name);
    }
    again((count) => count + 1);
  };
  return (
    <Panel title="Kept in this browser">
      <dl className={classes.facts}>
        <dt>Drafts</dt>
        <dd>
          {drafts.length === 0 ? "none" : drafts.length}
          {drafts.length > 0 && (
            <Button variant="subtle" color="red" onClick={() => forget(drafts)}>
              Forget them
            </Button>
          )}
        </dd>
        <dt>Widths of panes</dt>
        <dd>
          {widths.length === 0 ? "as they come" : widths.length}
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

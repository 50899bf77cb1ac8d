/** The cheat sheet: all keys that do something now. */

import { Modal, Switch } from "@mantine/core";
import { setSingleKeys, useSingleKeys } from "@/keyboard/registry";
import { KeyList } from "@/ui/KeyList";
import classes from "@/ui/keys.module.css";

/** Show the keys of what is on screen, and of everywhere. */
export default function CheatSheet({ onClose }: { readonly onClose: () => void }) {
  const isOn = useSingleKeys();
  return (
    <Modal
      opened
      onClose={onClose}
      title="Keyboard shortcuts"
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      <KeyList />
      <Switch
        className={classes.switch}
        label="Single-key shortcuts (always off while you type)"
        checked={isOn}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Modal>
  );
}

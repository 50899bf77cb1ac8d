/** The command palette: everything that can be done here, every place, every thread. */

import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from "@mantine/spotlight";
import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import { type SideLine, shownStatus } from "@/api/lines";
import { type KeyAction, useScopes } from "@/keyboard/registry";
import { EVERYWHERE } from "@/shell/global_keys";
import { Kbd } from "@/ui/Kbd";
import classes from "@/ui/keys.module.css";
import { Status } from "@/ui/Status";
import { pieces } from "@/ui/suspicious_text";

interface Props {
  readonly lines: readonly SideLine[];
  readonly onClose: () => void;
}

/** Show the palette; it is there as long as it is open. */
export default function Palette({ lines, onClose }: Props) {
  const scopes = useScopes();
  const [, go] = useLocation();
  useEffect(() => Spotlight.open(), []);
  const groups = useMemo((): SpotlightActionGroupData[] => {
    const here = scopes
      .filter((scope) => scope.name !== EVERYWHERE && scope.actions.length > 0)
      .toReversed()
      .map((scope) => ({ group: scope.name, actions: scope.actions.map(actionOf(scope.name)) }));
    const everywhere = scopes
      .filter((scope) => scope.name === EVERYWHERE)
      .flatMap((scope) => scope.actions.filter((action) => action.keys !== "Mod+k"));
    const threads = lines.map(
      (line): SpotlightActionData => ({
        id: line.id,
        label: plain(line.title),
        description: line.project.split("/").at(-1) ?? "",
        keywords: [line.id, line.status],
        leftSection: <Status status={shownStatus(line)} word="" />,
        onClick: () => go(line.href),
      }),
    );
    return [
      ...here,
      { group: "Go to", actions: everywhere.map(actionOf(EVERYWHERE)) },
      { group: "Threads and flow runs", actions: threads },
    ].filter((group) => group.actions.length > 0);
  }, [scopes, lines, go]);
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      lockScroll={false}
      limit={60}
      nothingFound="No results"
      onSpotlightClose={onClose}
      searchProps={{
        placeholder: "Search commands, threads, and screens",
        "aria-label": "Commands",
      }}
      title="Commands"
      scrollable
      transitionProps={{ duration: 0 }}
      maxHeight={480}
      overlayProps={{ backgroundOpacity: 0.25, blur: 0 }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      classNames={{ header: "visually-hidden", action: classes.action ?? "" }}
    />
  );
}

/** The palette shows plain text only: what could mislead is left as a mark. */
function plain(text: string): string {
  return pieces(text)
    .map((piece) => (piece.mark === undefined || piece.mark.startsWith("looks") ? piece.text : "␣"))
    .join("");
}

function actionOf(scope: string): (action: KeyAction, index: number) => SpotlightActionData {
  return ({ keys, label, run }, index) => ({
    id: `${scope}/${index}/${keys}`,
    label,
    rightSection: keys === "" ? undefined : <Kbd keys={keys} />,
    // The palette gives the focus back first: what it runs may take it.
    onClick: () => setTimeout(run),
  });
}

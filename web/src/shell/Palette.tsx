/** The command palette: everything that can be done here, every place, every thread. */

import { useDebouncedValue } from "@mantine/hooks";
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from "@mantine/spotlight";
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { type SideLine, shownStatus } from "@/api/lines";
import { type KeyAction, useScopes } from "@/keyboard/registry";
import { addressOf, excerptOf, sourceOf } from "@/shell/finds";
import { EVERYWHERE } from "@/shell/global_keys";
import { useFound } from "@/shell/useFound";
import { Kbd } from "@/ui/Kbd";
import classes from "@/ui/keys.module.css";
import { Status } from "@/ui/Status";
import { pieces } from "@/ui/suspicious_text";

interface Props {
  readonly lines: readonly SideLine[];
  readonly onClose: () => void;
}

const TYPED_MS = 200;

/** Show the palette; it is there as long as it is open. */
export default function Palette({ lines: recent, onClose }: Props) {
  const scopes = useScopes();
  const [, go] = useLocation();
  const [query, setQuery] = useState("");
  const [typed] = useDebouncedValue(query.trim(), TYPED_MS);
  const { lines, finds, isSearching } = useFound(typed, recent);
  const [verbs] = useState(verbsShown);
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
      (line, index): SpotlightActionData => ({
        id: line.id,
        label: plain(line.title),
        description: line.project.split("/").at(-1) ?? "",
        keywords: [line.id, line.status, ...(index < recent.length ? [] : [query])],
        leftSection: <Status status={shownStatus(line)} word="" />,
        onClick: () => go(line.href),
      }),
    );
    // found by the engine, whose words are not all in what is shown
    const said = finds.map(
      (find): SpotlightActionData => ({
        id: `find ${find.position}`,
        label: plain(excerptOf(find)),
        description: plain(sourceOf(find)),
        keywords: query,
        onClick: () => go(addressOf(find)),
      }),
    );
    return [
      ...joined([...verbs, ...here]),
      { group: "Go to", actions: everywhere.map(actionOf(EVERYWHERE)) },
      { group: "Threads and flow runs", actions: threads },
      { group: "In conversations", actions: said },
    ].filter((group) => group.actions.length > 0);
  }, [scopes, verbs, lines, recent, finds, query, go]);
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      lockScroll={false}
      limit={60}
      nothingFound={isSearching ? "Searching…" : "No results"}
      onSpotlightClose={onClose}
      searchProps={{
        placeholder: "Search commands, threads, screens, and conversations",
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

/** Return what the buttons in the head of what is open do, as entries that press them. */
function verbsShown(): SpotlightActionGroupData[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-verbs]")].map((head) => {
    const buttons = [...head.querySelectorAll<HTMLButtonElement>("button:enabled")].filter(
      (button) => button.ariaHasPopup !== "menu" && button.getClientRects().length > 0,
    );
    return {
      group: head.dataset.verbs ?? "",
      actions: buttons.map((button, index) => ({
        id: `verb ${index}`,
        label: button.ariaLabel ?? button.innerText,
        onClick: () => void setTimeout(() => button.click()),
      })),
    };
  });
}

/** Join groups of one name. */
function joined(groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  const names = [...new Set(groups.map(({ group }) => group))];
  return names.map((group) => ({
    group,
    actions: groups.filter((each) => each.group === group).flatMap(({ actions }) => actions),
  }));
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

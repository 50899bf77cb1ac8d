/** The sidebar: where one is, what there is, who needs whom, and how the connection stands. */

import { ActionIcon, Button } from "@mantine/core";
import { PanelLeftClose, PanelLeftOpen, Plus, Search } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { Seen, SideLine } from "@/api/lines";
import { hrefOf, placeOf, type ScreenRoute, shownId, sidebarOf } from "@/shell/addresses";
import { Connection } from "@/shell/Connection";
import classes from "@/shell/sidebar.module.css";
import { ThreadLines } from "@/shell/ThreadLines";
import { Kbd } from "@/ui/Kbd";

interface Props {
  readonly screens: readonly ScreenRoute[];
  /** How many hosts there are. */
  readonly hosts: number;
  readonly waiting: number;
  readonly lines: readonly SideLine[] | undefined;
  readonly seen: Seen | null;
  readonly isNarrow: boolean;
  /** Left out where the sidebar is a drawer. */
  readonly onNarrow?: () => void;
  readonly onPalette: () => void;
  /** Something was chosen. */
  readonly onOpen?: () => void;
}

/** Show the way to everything. */
export function Sidebar(props: Props) {
  const {
    screens,
    hosts,
    waiting,
    lines,
    seen,
    isNarrow,
    onNarrow,
    onPalette,
    onOpen = () => undefined,
  } = props;
  const [path] = useLocation();
  return (
    <nav
      className={classes.sidebar}
      aria-label="Treadle"
      data-narrow={isNarrow}
      data-pane
      tabIndex={-1}
    >
      {onNarrow && (
        <div className={classes.head}>
          {!isNarrow && <span className={classes.name}>Treadle</span>}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={isNarrow ? "Expand sidebar" : "Collapse sidebar"}
            onClick={onNarrow}
          >
            {isNarrow ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
          </ActionIcon>
        </div>
      )}
      <div className={classes.scroll}>
        <Places
          screens={sidebarOf(path, screens, hosts)}
          path={path}
          waiting={waiting}
          isNarrow={isNarrow}
          onOpen={onOpen}
        />
        {!isNarrow && lines !== undefined && lines.length > 0 && (
          <ThreadLines lines={lines} seen={seen} shown={shownId(path)} onOpen={onOpen} />
        )}
      </div>
      <div className={classes.foot}>
        <div className={classes.actions}>
          <Button
            component={Link}
            href="/new"
            onClick={onOpen}
            variant="light"
            size="compact-sm"
            aria-label="New thread"
            title="New thread"
          >
            <Plus size={14} className={classes.plus} aria-hidden />
            {!isNarrow && <span className={classes.new}>New thread</span>}
          </Button>
          {!isNarrow && (
            <button
              type="button"
              className={classes.palette}
              onClick={onPalette}
              aria-label="Search and commands"
              title="Search and commands"
            >
              <Search size={14} aria-hidden /> <Kbd keys="Mod+K" />
            </button>
          )}
        </div>
        <Connection isNarrow={isNarrow} />
      </div>
    </nav>
  );
}

interface PlacesProps extends Pick<Props, "screens" | "waiting" | "isNarrow"> {
  readonly path: string;
  readonly onOpen: () => void;
}

function Places({ screens, path, waiting, isNarrow, onOpen }: PlacesProps) {
  const present = placeOf(path, screens);
  const places = screens.flatMap((screen) =>
    screen.Icon ? [{ href: hrefOf(screen), name: screen.name ?? "", Icon: screen.Icon }] : [],
  );
  return (
    <ul className={classes.places}>
      {places.map(({ href, name, Icon }) => (
        <li key={href}>
          <Link
            href={href}
            onClick={onOpen}
            className={classes.place}
            aria-current={path === href ? "page" : present === href ? "true" : undefined}
            aria-label={isNarrow ? name : undefined}
            title={isNarrow ? name : undefined}
          >
            <Icon size={15} aria-hidden />
            {!isNarrow && <span>{name}</span>}
            {href === "/" && waiting > 0 && (
              <span className={classes.count}>
                {waiting}
                <span className="visually-hidden"> need you</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The frame of every screen: the sidebar or the phone's top bar, banners, the screen, its ticker. */

import { ActionIcon } from "@mantine/core";
import { Menu, Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { mineOf } from "@/api/lines";
import { useInbox } from "@/api/queries";
import { useLines } from "@/api/useLines";
import { Attention } from "@/shell/Attention";
import { placeOf, type ScreenRoute, shownId, titleOf } from "@/shell/addresses";
import { Banners } from "@/shell/Banners";
import { useFocusRestored, useHeadingFocus } from "@/shell/focus";
import { useGlobalKeys } from "@/shell/global_keys";
import { useHostCount } from "@/shell/hosts";
import { Screens } from "@/shell/Screens";
import { Sidebar } from "@/shell/Sidebar";
import { useSeen } from "@/shell/seen";
import classes from "@/shell/shell.module.css";
import { Ticker } from "@/shell/Ticker";
import { Safe } from "@/ui/Safe";

const loadPalette = () => import("@/shell/Palette");
const Palette = lazy(loadPalette);
const CheatSheet = lazy(() => import("@/shell/CheatSheet"));
const loadMenu = () => import("@/shell/MenuDrawer");
const MenuDrawer = lazy(loadMenu);
/** Where what is shown for a moment appears; without it nothing else is missing. */
const Notifications = lazy(async () => {
  const part = await import("@mantine/notifications").catch(() => null);
  return { default: () => part && <part.Notifications position="bottom-right" limit={4} /> };
});

const NARROW = "treadle.sidebar";
const CALM_MS = 3000;

type Overlay = "palette" | "keys" | "menu" | null;

/** What lies over the page; closed, the focus goes back where it was unless something took it. */
function useOverlay(): readonly [Overlay, (overlay: Overlay) => void, () => void] {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const back = useRef<Element | null>(null);
  const open = (next: Overlay) => {
    back.current = document.activeElement;
    setOverlay(next);
  };
  const close = () => {
    setOverlay(null);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && back.current instanceof HTMLElement) {
        back.current.focus();
      }
    });
  };
  return [overlay, open, close];
}

/** Tell whether the first screen has had its time: what may be needed next is loaded then. */
function useCalm(isShown: boolean): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    const timer = isShown ? setTimeout(() => setCalm(true), CALM_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isShown]);
  useEffect(() => {
    if (isCalm) {
      // what cannot be had now is asked for again when it is needed
      void Promise.all([loadPalette(), loadMenu()]).catch(() => undefined);
    }
  }, [isCalm]);
  return isCalm;
}

/** Lay the sidebar beside a screen. */
export function Shell({ screens }: { readonly screens: readonly ScreenRoute[] }) {
  const [path] = useLocation();
  const inbox = useInbox();
  const hosts = useHostCount();
  const lines = useLines(shownId(path));
  const [seen, look] = useSeen(lines);
  const [overlay, setOverlay, close] = useOverlay();
  const [isNarrow, setIsNarrow] = useState(() => localStorage.getItem(NARROW) === "narrow");
  const isCalm = useCalm(inbox.data !== undefined);
  const shown = lines?.find((line) => line.id === shownId(path));
  const waiting = mineOf(inbox.data?.items ?? []).length;
  const title = titleOf(path, shown?.title ?? "", screens);
  const narrow = () => {
    localStorage.setItem(NARROW, isNarrow ? "wide" : "narrow");
    setIsNarrow(!isNarrow);
  };
  useEffect(() => {
    if (shown !== undefined && !document.hidden) {
      look(shown);
    }
  }, [shown, look]);
  useHeadingFocus(path);
  useFocusRestored();
  useGlobalKeys({
    screens,
    onPalette: () => setOverlay("palette"),
    onCheatSheet: () => setOverlay("keys"),
    onSidebar: narrow,
  });
  const sidebar = { screens, hosts, waiting, lines, seen, onPalette: () => setOverlay("palette") };
  return (
    <div className={classes.shell} data-narrow={isNarrow}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar title={title} waiting={waiting} onOpen={setOverlay} />
      <div className={classes.sidebar}>
        <Sidebar {...sidebar} isNarrow={isNarrow} onNarrow={narrow} />
      </div>
      <div className={classes.content}>
        <Banners />
        <main id="main" className={classes.main} tabIndex={-1} data-pane>
          <Screens screens={screens} />
        </main>
        {shown !== undefined && !shown.isFlow && placeOf(path, screens) === "/threads" && (
          <Ticker thread={shown.id} />
        )}
      </div>
      <Suspense>
        {overlay === "palette" && <Palette lines={lines ?? []} onClose={close} />}
        {overlay === "keys" && <CheatSheet onClose={close} />}
        {overlay === "menu" && (
          <MenuDrawer onClose={close}>
            <Sidebar {...sidebar} isNarrow={false} onOpen={close} />
          </MenuDrawer>
        )}
        {isCalm && <Notifications />}
      </Suspense>
      <Attention items={inbox.data?.items} title={title} />
    </div>
  );
}

interface TopBarProps {
  readonly title: string;
  readonly waiting: number;
  readonly onOpen: (overlay: Overlay) => void;
}

/** What a phone has in the sidebar's place. */
function TopBar({ title, waiting, onOpen }: TopBarProps) {
  return (
    <header className={classes.topBar}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Menu"
        onClick={() => onOpen("menu")}
      >
        <Menu size={18} />
      </ActionIcon>
      <span className={classes.topTitle}>
        <Safe text={title} />
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Commands"
        onClick={() => onOpen("palette")}
      >
        <Search size={18} />
      </ActionIcon>
      <Link href="/" className={classes.topInbox}>
        Inbox{waiting > 0 && ` · ${waiting}`}
      </Link>
    </header>
  );
}

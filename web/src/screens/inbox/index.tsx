/** Inbox: everything that waits for a person, oldest first, answered in place. */

import { Button, Checkbox, Loader } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Schemas } from "@/api/client";
import { mineOf } from "@/api/lines";
import { useInbox, useMe } from "@/api/queries";
import { problemOf } from "@/api/resources";
import { partSnoozed } from "@/api/snoozed";
import { pressDecision } from "@/keyboard/decision_keys";
import { useKeys } from "@/keyboard/registry";
import { Card } from "@/screens/inbox/Card";
import { EmptyInbox } from "@/screens/inbox/EmptyInbox";
import classes from "@/screens/inbox/inbox.module.css";
import { Snoozed } from "@/screens/inbox/Snooze";
import { headingOf, shownOf } from "@/screens/inbox/shown";
import { AnsweredElsewhere } from "@/ui/AnsweredElsewhere";
import { setDesktop, useDesktop } from "@/ui/desktop";
import { Failure } from "@/ui/Failure";
import { nextKey, placeOfItem } from "@/ui/inbox_items";
import { Kbd } from "@/ui/Kbd";
import { Page } from "@/ui/Page";
import { RovingList } from "@/ui/RovingList";
import { useScrollAnchor } from "@/ui/scroll_anchor";

type InboxItem = Schemas["InboxItem"];

const NONE: readonly InboxItem[] = [];

/** Go to the card that a notification leads to, once it is there. */
function useLanding(wanted: string | null, isThere: boolean): void {
  useEffect(() => {
    if (wanted !== null && isThere) {
      openCard()?.closest<HTMLElement>("[data-row]")?.focus();
    }
  }, [wanted, isThere]);
}

/** Let the keys of the list work from the start: the first row takes the focus that nothing else has. */
function useFirstRow(isThere: boolean): void {
  useEffect(() => {
    const active = document.activeElement;
    const isFree = active === document.body || active?.matches("#main, #main h1") === true;
    if (isThere && isFree) {
      openCard()?.closest<HTMLElement>("[data-row]")?.focus({ preventScroll: true });
    }
  }, [isThere]);
}

function openCard(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-inbox-card]");
}

const MINE = "treadle.inbox.mine";

/** Whether only what is of the person is shown, as it is at first; this browser remembers it. */
function useMine(): readonly [boolean, (isMine: boolean) => void] {
  const [isMine, setMine] = useState(() => localStorage.getItem(MINE) !== "0");
  const set = (next: boolean) => {
    localStorage.setItem(MINE, next ? "1" : "0");
    setMine(next);
  };
  return [isMine, set];
}

const idOf = (item: InboxItem) => item.item_id;

/** Which item is open: the chosen one, or what took its place once it was answered here. */
function useOpen(everything: readonly InboxItem[], isMine: boolean) {
  const [search] = useSearchParams();
  const named = search.get("item");
  // news that may say no more than the kind name a card by its handle, as its id is made of a goal's words
  const wanted = everything.find(({ handle }) => handle === named)?.item_id ?? named;
  const [open, setOpen] = useState<string | null>(wanted);
  const items = shownOf(everything, isMine, open);
  useLanding(
    wanted,
    items.some((item) => item.item_id === wanted),
  );
  const [followed, setFollowed] = useState(wanted);
  if (wanted !== followed) {
    setFollowed(wanted);
    setOpen(wanted ?? open);
  }
  const [known, setKnown] = useState<readonly string[]>([]);
  const keys = items.map(idOf);
  const staying = useScrollAnchor(items, idOf, open);
  const after = nextKey(known, keys, open);
  const next = staying.gone === null ? after : open;
  if (keys.join() !== known.join()) {
    setKnown(keys);
  }
  if (next !== open && wanted === followed && items.length > 0) {
    setOpen(next);
  }
  const showNext = () =>
    setOpen(keys[staying.shown.findIndex((item) => idOf(item) === open)] ?? after);
  return { ...staying, open: next, setOpen, showNext };
}

export default function Screen() {
  const inbox = useInbox();
  const [, go] = useLocation();
  const { awake: everything, asleep } = useMemo(
    () => partSnoozed(inbox.data?.items ?? NONE),
    [inbox.data],
  );
  const [isMine, setMine] = useMine();
  const me = useMe().data;
  const mine = mineOf(everything);
  const { shown, gone, own, note, open, setOpen, showNext } = useOpen(everything, isMine);
  const filterBy = (next: boolean) => {
    setMine(next);
    if (next && !mine.some((each) => idOf(each) === open)) {
      setOpen(mine[0]?.item_id ?? null);
    }
  };
  const item = everything.find((each) => each.item_id === open);
  useFirstRow(shown.length > 0);
  useKeys("Inbox", [
    { keys: "a", label: "Approve", run: () => pressDecision(openCard(), "approve") },
    { keys: "r", label: "Reject with feedback", run: () => pressDecision(openCard(), "reject") },
    {
      keys: "o",
      label: "Open in context",
      run: () => item && go(placeOfItem(item)),
    },
  ]);
  if (inbox.error) {
    return (
      <Page title="Inbox">
        <Failure problem={problemOf(inbox.error)} onRetry={() => void inbox.refetch()} />
      </Page>
    );
  }
  if (inbox.data === undefined) {
    return (
      <Page title="Inbox">
        <Loader m="md" size="sm" role="status" aria-label="Loading" />
      </Page>
    );
  }
  const filter = me?.has_directory && (
    <Checkbox
      label={`Only mine (${mine.length} of ${everything.length})`}
      checked={isMine}
      onChange={(event) => filterBy(event.currentTarget.checked)}
    />
  );
  if (shown.length === 0) {
    return (
      <>
        <Offer />
        {isMine && everything.length > 0 ? (
          <Page title="Inbox · nothing is yours" actions={filter}>
            <p className="dim">
              Nothing waits that you may decide and that nobody else is assigned to.
            </p>
          </Page>
        ) : (
          <EmptyInbox />
        )}
        <Snoozed items={asleep} />
      </>
    );
  }
  return (
    <Page
      title={headingOf(everything, isMine)}
      actions={
        <>
          {filter}
          <span className={`dim ${classes.hint}`} data-keys>
            <Kbd keys="j" /> <Kbd keys="k" /> move · <Kbd keys="Enter" /> answer · <Kbd keys="a" />{" "}
            approve · <Kbd keys="o" /> open
          </span>
        </>
      }
    >
      <div className={classes.list}>
        <RovingList
          label="Waiting for you, oldest first"
          keyScope="Inbox list"
          items={shown}
          getKey={idOf}
          hasControls
          active={open}
          onActive={setOpen}
          onOpen={() => enterCard()}
          render={(each, isActive) => (
            <Card
              item={each}
              isOpen={isActive}
              onAnswer={(state) => note(each.item_id, state)}
              elsewhere={each === gone && <AnsweredElsewhere own={own} onNext={showNext} />}
            />
          )}
        />
      </div>
      <Offer />
      <Snoozed items={asleep} />
    </Page>
  );
}

/** Put the focus on the first thing of the open card that answers. */
function enterCard(): void {
  const first = openCard()?.querySelector<HTMLElement>(
    "[data-approve-bar] button:enabled, button:enabled, input:enabled, textarea:enabled",
  );
  first?.focus();
}

/** Offer desktop notifications once the person has closed a gate: below the cards, which it must not move. */
function Offer() {
  const state = useDesktop();
  if (state !== "offer") {
    return null;
  }
  return (
    <div className={classes.offer}>
      <span>Turn on notifications for new requests when no tab is visible?</span>
      <Button variant="default" onClick={() => void setDesktop(true)}>
        Turn on
      </Button>
      <Button variant="subtle" color="gray" onClick={() => void setDesktop(false)}>
        Not now
      </Button>
    </div>
  );
}

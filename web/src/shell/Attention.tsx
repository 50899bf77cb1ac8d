/** Shows what waits for a person: title, icon, live region, desktop. */

import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { mineOf } from "@/api/lines";
import { faviconOf } from "@/shell/favicon";
import { announcementOf, isGateClosed, newItems, noticesOf } from "@/shell/notices";
import { holdVisible, notify, offerDesktop } from "@/ui/desktop";
import { useIsPushed, useKeptPush, useOpenedNews } from "@/ui/push";
import { withMarks } from "@/ui/suspicious_text";

interface Props {
  readonly items: readonly Schemas["InboxItem"][] | undefined;
  /** What the shown screen is called. */
  readonly title: string;
}

/** Keep the title and the icon true, and announce what is new. */
export function Attention({ items: every, title }: Props) {
  const items = useMemo(() => every && mineOf(every), [every]);
  const [, go] = useLocation();
  const before = useRef<readonly Schemas["InboxItem"][] | null>(null);
  const [text, setText] = useState("");
  const waiting = items?.length ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${withMarks(title)} · Treadle`;
  }, [waiting, title]);
  useEffect(() => {
    document.querySelector("link[rel=icon]")?.setAttribute("href", faviconOf(waiting));
  }, [waiting]);
  useEffect(holdVisible, []);
  const isPushed = useIsPushed();
  useOpenedNews(go);
  useKeptPush();
  useEffect(() => {
    if (items === undefined) {
      return;
    }
    const added = newItems(before.current, items);
    if (isGateClosed(before.current, items)) {
      offerDesktop();
    }
    before.current = items;
    if (added.length > 0) {
      setText(announcementOf(added));
      if (!isPushed) {
        void notify(noticesOf(added), go); // the worker tells it otherwise, by the browser's own rules
      }
    }
  }, [items, go, isPushed]);
  return (
    <div role="status" aria-live="polite" aria-label="New in the inbox" className="visually-hidden">
      {text}
    </div>
  );
}

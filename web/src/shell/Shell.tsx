/** The frame of every screen: the sidebar, and what is chosen in it. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import { useInbox } from "@/api/queries";
import { Connection } from "@/shell/Connection";
import classes from "@/shell/shell.module.css";

/** Lay the sidebar beside a screen. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const inbox = useInbox();
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        To the content
      </a>
      <nav className={classes.sidebar} aria-label="Treadle">
        <Link href="/">Inbox {inbox.data?.items.length ?? ""}</Link>
        <Link href="/threads">Threads</Link>
        <Link href="/flows">Flows</Link>
        <Connection />
      </nav>
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

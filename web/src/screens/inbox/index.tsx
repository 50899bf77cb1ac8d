/** Inbox: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Inbox" text="This screen is being built." />;
}

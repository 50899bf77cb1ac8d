/** New thread: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="New thread" text="This screen is being built." />;
}

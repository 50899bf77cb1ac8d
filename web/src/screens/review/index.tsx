/** Review: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Review" text="This screen is being built." />;
}

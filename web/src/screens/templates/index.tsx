/** Templates: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Templates" text="This screen is being built." />;
}

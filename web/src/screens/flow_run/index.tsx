/** Flow run: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Flow run" text="This screen is being built." />;
}

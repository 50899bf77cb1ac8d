/** Plan files: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Plan files" text="This screen is being built." />;
}

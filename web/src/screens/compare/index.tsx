/** Compare: not there yet. */

import { Empty } from "@/ui/Empty";

export default function Screen() {
  return <Empty title="Compare" text="This screen is being built." />;
}

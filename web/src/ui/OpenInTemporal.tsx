/** Ways to a workflow in Temporal's Web UI; nothing where that is off. */

import { Button, Menu } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useTemporal } from "@/api/resources";

interface Props {
  /** The id of a thread, session, task's run or flow run is also its workflow's. */
  readonly workflow: string;
  readonly label?: string;
}

function linkTo(workflow: string) {
  const href = `/temporal?workflow=${encodeURIComponent(workflow)}`;
  return { component: "a", href, target: "_blank", rel: "noopener" } as const;
}

/** Offer it in a menu. */
export function OpenInTemporal({ workflow, label = "Open in Temporal" }: Props) {
  if (!useTemporal()) {
    return null;
  }
  return (
    <Menu.Item {...linkTo(workflow)} leftSection={<ExternalLink size={14} aria-hidden />}>
      {label}
    </Menu.Item>
  );
}

/** Offer it among the actions of a header. */
export function OpenInTemporalButton({ workflow, label = "Open in Temporal" }: Props) {
  if (!useTemporal()) {
    return null;
  }
  return (
    <Button
      {...linkTo(workflow)}
      variant="subtle"
      leftSection={<ExternalLink size={14} aria-hidden />}
    >
      {label}
    </Button>
  );
}

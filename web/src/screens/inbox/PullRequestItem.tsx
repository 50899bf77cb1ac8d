/** What of a pull request wants a person: its text as a quotation, where it is, its rework and its dismissal. */

import { Anchor, Blockquote, Button, Group, Stack, Text } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { dismissItem, reworkItem } from "@/screens/inbox/pull_requests";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";

const REWORKABLE: readonly string[] = ["failed_check", "comment", "review"];

/** Show one item; its text is from outside, and shown as it is. */
export function PullRequestItem({
  thread,
  item,
  isStacked = false,
}: {
  readonly thread: string;
  /** A pull request of a stack has no reworks: what changes comes on top. */
  readonly isStacked?: boolean;
  readonly item: NonNullable<Schemas["InboxItem"]["pull_request"]>;
}) {
  const refresh = useRefresh(["inbox"]);
  const command = useCommand((id: string) => dismissItem(id, thread, item.item_id));
  const rework = useCommand((id: string) => reworkItem(id, thread, item.item_id));
  return (
    <Stack gap="xs">
      {item.text ? (
        <Blockquote p="xs" styles={{ cite: { opacity: 1 } }} cite={item.author || undefined}>
          <Text size="sm" style={{ whiteSpace: "pre-wrap" }}>
            {item.text}
          </Text>
        </Blockquote>
      ) : null}
      <Text size="sm">{item.advice}</Text>
      <Group>
        {item.url?.startsWith("https://") ? (
          <Anchor href={item.url} target="_blank" rel="noreferrer" size="sm">
            Open on the forge
          </Anchor>
        ) : null}
        {REWORKABLE.includes(item.kind) && !isStacked ? (
          <ForRole needs="approver" isTold>
            <Button
              loading={rework.state === "sending"}
              onClick={() => void rework.send().then(refresh)}
            >
              Rework
            </Button>
          </ForRole>
        ) : null}
        <ForRole needs="author" isTold>
          <Button
            variant="default"
            loading={command.state === "sending"}
            onClick={() => void command.send().then(refresh)}
          >
            Dismiss
          </Button>
        </ForRole>
      </Group>
      <Failure problem={rework.problem} />
      <Failure problem={command.problem} />
    </Stack>
  );
}

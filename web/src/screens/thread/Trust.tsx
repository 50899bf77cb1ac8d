/** A yes to what changed in a repository's git metadata: programs that git itself would run. */

import { Button, Group, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { problemOf } from "@/api/resources";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly repository: string;
  readonly close: () => void;
}

/** Show what changed, and trust it as it is shown. */
export function Trust({ repository, close }: Props) {
  const query = useQuery({
    queryKey: ["trust", repository],
    queryFn: () => get("/v1/repositories/trust", { query: { repository } }),
    staleTime: 0,
  });
  const changes = query.data?.changes ?? [];
  const command = useCommand(() =>
    post(
      "/v1/repositories/trust",
      {},
      { repository, content_hash: query.data?.content_hash ?? "" },
    ),
  );
  return (
    <Modal opened onClose={close} title="Trust repository">
      <p>
        Hooks and settings in a repository's git metadata can run programs, and agents may have
        changed them. None of them run until you trust them.
      </p>
      {changes.length === 0 && query.isSuccess && <p>Nothing has changed since you trusted it.</p>}
      <ul>
        {changes.map((change) => (
          <li key={change.name}>
            <code>
              <Safe text={change.name} />
            </code>{" "}
            <Safe text={change.now ?? "was removed"} />
          </li>
        ))}
      </ul>
      <Failure problem={problemOf(query.error) ?? command.problem} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" data-autofocus onClick={close}>
          Close
        </Button>
        {changes.length > 0 && (
          <CommandButton
            needs="approver"
            command={command}
            done="Sent"
            onClick={() => void command.send()}
          >
            Trust
          </CommandButton>
        )}
      </Group>
    </Modal>
  );
}

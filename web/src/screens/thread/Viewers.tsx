/** Who else looks at a thread now, by the pages that are open and visible. */

import { Avatar, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { post } from "@/api/client";
import { useMe } from "@/api/queries";

const LOOK_MS = 15_000;
const MOST_SHOWN = 4;

/** Say that this thread is looked at, as long as its page is visible, and show who else does. */
export function Viewers({ thread }: { readonly thread: string }) {
  const hasPeople = useMe().data?.has_directory === true;
  const { data } = useQuery({
    queryKey: ["viewers", thread],
    queryFn: () => post("/v1/viewers/{thread}", { thread }, { command_id: "" }),
    enabled: hasPeople,
    refetchInterval: LOOK_MS, // none while the page is hidden
    refetchOnWindowFocus: "always",
    staleTime: 0,
    retry: false,
  });
  const others = data?.viewers ?? [];
  if (others.length === 0) {
    return null;
  }
  const names = others.map(({ name }) => name).join(", ");
  const label = `Looking now: ${names}`;
  return (
    <Tooltip label={label}>
      <Avatar.Group role="img" aria-label={label} spacing={6}>
        {others.slice(0, MOST_SHOWN).map(({ person, name }) => (
          <Avatar key={person} size={24} name={name} color="initials" />
        ))}
        {others.length > MOST_SHOWN && <Avatar size={24}>+{others.length - MOST_SHOWN}</Avatar>}
      </Avatar.Group>
    </Tooltip>
  );
}

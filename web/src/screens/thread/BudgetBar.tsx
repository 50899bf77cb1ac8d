/** How much of a thread's tightest spending limit is spent. */

import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, type Schemas } from "@/api/client";
import { dollars, levelOf, paidOf } from "@/ui/money";
import classes from "@/ui/ui.module.css";

const OF_MONTHS: ReadonlySet<string> = new Set(["month", "project"]);

/** Show the limit of which the least is left, where there is one; all of them in its title. */
export function BudgetBar({ thread }: { readonly thread: Schemas["ThreadView"] }) {
  const paid = paidOf(thread.money);
  const { data } = useQuery({
    queryKey: ["thread-limits", thread.thread_id, paid],
    queryFn: () => get("/v1/money/threads/{thread}", { path: { thread: thread.thread_id } }),
    placeholderData: (before) => before,
  });
  const limits = (data?.limits ?? []).filter(({ limit }) => (limit ?? 0) > 0);
  const [tightest] = limits.toSorted(
    (a, b) => (a.limit ?? 0) - (a.spent ?? 0) - ((b.limit ?? 0) - (b.spent ?? 0)),
  );
  if (tightest === undefined) {
    return null;
  }
  const { share, tone } = levelOf(tightest.spent ?? 0, tightest.limit ?? 0);
  const words = limits.map(
    (each) => `${dollars(each.spent ?? 0)} of ${dollars(each.limit ?? 0)} for ${each.words}`,
  );
  return (
    <span className={classes.bar} title={words.join("\n")}>
      <Progress
        value={share}
        w={80}
        color={tone}
        aria-label={`${dollars(tightest.spent ?? 0)} of ${dollars(tightest.limit ?? 0)} spent`}
      />
      <span>
        {dollars(tightest.spent ?? 0)} of {dollars(tightest.limit ?? 0)}
        {OF_MONTHS.has(tightest.scope.kind) && " this month"}
      </span>
    </span>
  );
}

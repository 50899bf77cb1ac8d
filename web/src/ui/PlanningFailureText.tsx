/** Why planning ended without a plan, whole. */

import { planningFailureOf } from "@/ui/planning_failure";
import { Safe } from "@/ui/Safe";

/** Say the reason, its problems as a list. */
export function PlanningFailureText({ reason }: { readonly reason: string }) {
  const { short, cause, problems } = planningFailureOf(reason);
  return (
    <>
      <Safe text={short} />
      {cause !== "" && (
        <>
          {"; the last reason: "}
          <Safe text={cause} />
        </>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>
              <Safe text={problem} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The buttons that decide about a host; each asks first. */

import { useQueryClient } from "@tanstack/react-query";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { type Decision, LABELS, questionOf } from "@/screens/hosts/standing";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";

interface Props {
  /** Name or id, as the API takes it. */
  readonly host: string;
  readonly name: string;
  readonly decisions: readonly Decision[];
}

/** Show the decisions, and carry out the one that is confirmed. */
export function Decisions({ host, name, decisions }: Props) {
  const queries = useQueryClient();
  const command = useCommand(async (command_id: string, decision: Decision) => {
    const answer = await post(
      "/v1/hosts/{name}/{decision}",
      { name: host, decision },
      { command_id },
    );
    void queries.invalidateQueries({ queryKey: ["hosts"] });
    void queries.invalidateQueries({ queryKey: ["inbox"] });
    return answer;
  });
  return (
    <>
      {decisions.map((decision) => (
        <Confirm
          key={decision}
          label={LABELS[decision]}
          question={questionOf(decision, name)}
          verb={LABELS[decision]}
          color={decision === "lost" ? "red" : "gray"}
          isSending={command.state === "sending"}
          onConfirm={() => void command.send(decision)}
        />
      ))}
      <Failure problem={command.problem} />
    </>
  );
}

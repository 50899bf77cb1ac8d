/** The command that answers a question of an agent, in a thread or in a flow run. */

import { post, type Schemas } from "@/api/client";

/** What a person chose: an option of a permission, or labels of a decision. */
export interface GivenAnswer {
  readonly optionId?: string;
  readonly remember?: Schemas["Remember"];
  readonly selections?: readonly string[];
}

/** The thread or the flow run whose agent asks. */
export interface Asker {
  readonly threadId?: string | undefined;
  readonly runId?: string | undefined;
}

/** Answer a question as it is shown. */
export function answerQuestion(
  commandId: string,
  { threadId = "", runId }: Asker,
  question: Schemas["Question"],
  given: GivenAnswer,
): Promise<Schemas["Answer"]> {
  const name = question.question_id;
  const payload = {
    command_id: commandId,
    content_hash: question.content_hash ?? "",
    remember: given.remember ?? "once",
    option_id: given.optionId ?? null,
    selections: given.selections ? [...given.selections] : null,
  };
  return runId === undefined
    ? post(
        "/v1/threads/{thread}/questions/{question}/answer",
        { thread: threadId, question: name },
        payload,
      )
    : post(
        "/v1/flow-runs/{run}/questions/{question}/answer",
        { run: runId, question: name },
        payload,
      );
}

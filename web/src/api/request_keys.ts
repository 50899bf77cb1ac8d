/** The names under which this page keeps what a person answers; pure. */

/** Return what tells a request from all others: threads number theirs alike. */
export function keyOf(threadId: string, requestId: string): string {
  return `${threadId} ${requestId}`;
}

/** Return the name of what a step of a flow run asks; runs number theirs alike, too. */
export function flowRequestId(run: string, requestId: string): string {
  return `${run}/${requestId}`;
}

/** Return the name of the message that a task waits for. */
export function replyId(task: string): string {
  return `${task}/reply`;
}

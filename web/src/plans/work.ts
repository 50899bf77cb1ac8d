/** The name of the work of a plan without tasks; pure. */

/** Its name in routes of tasks. */
export const WORK = "the-work";

/** Return how people call a task: by its id, which the work has none of. */
export function calledOf(taskId: string): string {
  return taskId === WORK ? "the work" : taskId;
}

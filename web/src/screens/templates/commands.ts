/** What a person can do with templates: make one, trust one, start a workflow. */

import { post, type Schemas } from "@/api/client";

/** Make a plan template to fill in: in a repository where one is named, else for the person. */
export function makeTemplate(name: string, repository: string) {
  return post("/v1/templates", {}, { name: name.trim(), repository: repository || null });
}

/** Let a repository's template have its commands run, as its file is now. */
export function trustTemplate(found: Schemas["FoundTemplate"], repository: string) {
  return post(
    "/v1/templates/trust",
    {},
    {
      template: found.choice,
      repository,
      content_hash: found.content_hash ?? "",
    },
  );
}

/** What a workflow is started with. */
export interface Start {
  readonly repository: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly model: string;
}

/** Put all goals of a workflow template into the queue, or none. */
export function startWorkflow(commandId: string, name: string, start: Start) {
  return post(
    "/v1/workflow-templates/{name}/start",
    { name },
    {
      command_id: commandId,
      repository: start.repository.trim(),
      parameters: { ...start.parameters },
      agent: start.agent || null,
      model: start.model.trim() || null,
    },
  );
}

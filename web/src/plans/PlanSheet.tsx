/** One revision of a plan whole: description, tasks, graph, handoff packet, critiques, changes. */

import { ActionIcon, NativeSelect, SegmentedControl } from "@mantine/core";
import { Maximize2, Minimize2 } from "lucide-react";
import { useState } from "react";
import { useKeys } from "@/keyboard/registry";
import { AS_PLANNED, stopsIn, withStops } from "@/plans/autonomy";
import { Changes } from "@/plans/Changes";
import { Critiques } from "@/plans/Critiques";
import { Description } from "@/plans/Description";
import { Handoff } from "@/plans/Handoff";
import type { PlannedTask, ProposedPlan, ThreadView } from "@/plans/models";
import { PlanGraph } from "@/plans/PlanGraph";
import classes from "@/plans/panel.module.css";
import { TaskList } from "@/plans/TaskList";

type View = "description" | "tasks" | "graph" | "handoff" | "critiques" | "changes";

interface Props {
  readonly thread: ThreadView;
  readonly plan: ProposedPlan;
  /** All revisions of its planner. */
  readonly revisions: readonly number[];
  /** Show what changed since this one first. */
  readonly compared: number | null;
  readonly onShow: (revision: number) => void;
  readonly canEdit: boolean;
}

/** Show a plan, part by part. */
export function PlanSheet({ thread, plan, revisions, compared, onShow, canEdit }: Props) {
  const [view, setView] = useState<View>(compared === null ? "description" : "changes");
  const [task, setTask] = useState<string | null>(null);
  useKeys("Plan sections", [
    { keys: "d", label: "Description", run: () => setView("description") },
    { keys: "t", label: "Tasks", run: () => setView("tasks") },
    { keys: "g", label: "Graph", run: () => setView("graph") },
  ]);
  const options = thread.running.autonomy_options[plan.request.request_id] ?? [];
  const tasks = withStops(plan.plan.tasks, stopsIn(options, AS_PLANNED));
  const others = thread.plans.filter(({ revision }) => revision !== plan.revision);
  const views = [
    { value: "description", label: "Description" },
    ...(tasks.length > 0 ? [{ value: "tasks", label: `Tasks ${tasks.length}` }] : []),
    ...(tasks.length > 0 ? [{ value: "graph", label: "Graph" }] : []),
    { value: "handoff", label: "Handoff" },
    ...(plan.critiques.length > 0
      ? [{ value: "critiques", label: `Critiques ${plan.critiques.length}` }]
      : []),
    ...(others.length > 0 ? [{ value: "changes", label: "Changes" }] : []),
  ];
  return (
    <div className={classes.sheet}>
      <div className={classes.sheetHead}>
        <SegmentedControl
          aria-label="Plan sections"
          value={view}
          onChange={(chosen) => setView(chosen as View)}
          data={views}
        />
        <RevisionPicker plan={plan} revisions={revisions} onShow={onShow} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section className={classes.body} aria-label="The plan" tabIndex={0}>
        {view === "description" && (
          <Description plan={plan.plan} agent={thread.agent} isAsked={canEdit} />
        )}
        {view === "tasks" && <TaskList tasks={tasks} opened={task} />}
        {view === "graph" && (
          <FullGraph
            tasks={tasks}
            onChoose={(id) => {
              setTask(id);
              setView("tasks");
            }}
          />
        )}
        {view === "handoff" && (
          <Handoff threadId={thread.thread_id} plan={plan} canEdit={canEdit} />
        )}
        {view === "critiques" && <Critiques critiques={plan.critiques} />}
        {view === "changes" && (
          <Changes thread={thread} plan={plan} before={compared ?? others.at(-1)?.revision ?? 0} />
        )}
      </section>
    </div>
  );
}

interface GraphProps {
  readonly tasks: readonly PlannedTask[];
  readonly onChoose: (id: string) => void;
}

/** The graph, in its place or over the whole window. */
function FullGraph({ tasks, onChoose }: GraphProps) {
  const [isFull, setFull] = useState(false);
  useKeys("Plan graph", [
    { keys: "f", label: "Graph in full screen", run: () => setFull(!isFull) },
    ...(isFull ? [{ keys: "Escape", label: "Exit full screen", run: () => setFull(false) }] : []),
  ]);
  return (
    <div className={classes.graph} data-full={isFull}>
      <PlanGraph
        key={String(isFull)}
        label="Plan graph"
        tasks={tasks}
        onChoose={onChoose}
        tools={
          <ActionIcon
            variant="default"
            aria-label={isFull ? "Exit full screen" : "Full screen"}
            title={isFull ? "Exit full screen" : "Full screen"}
            onClick={() => setFull(!isFull)}
          >
            {isFull ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
          </ActionIcon>
        }
      />
    </div>
  );
}

type PickerProps = Pick<Props, "plan" | "revisions" | "onShow">;

function RevisionPicker({ plan, revisions, onShow }: PickerProps) {
  const by = plan.by === "" ? "" : ` · changed by ${plan.by}`;
  if (revisions.length < 2) {
    return (
      <span className="dim">
        revision {plan.revision}
        {by}
      </span>
    );
  }
  return (
    <span className={classes.tabName}>
      <NativeSelect
        size="xs"
        aria-label="Revision"
        value={String(plan.revision)}
        onChange={(event) => onShow(Number(event.currentTarget.value))}
        data={revisions.map((revision) => ({
          value: String(revision),
          label: `revision ${revision}`,
        }))}
      />
      <span className="dim">{by}</span>
    </span>
  );
}

/** What a person is asked, by its shape: each kind has its own. */

import {
  AtSign,
  CircleDot,
  CircleHelp,
  CircleX,
  Diamond,
  DollarSign,
  FileDiff,
  GitCompareArrows,
  GitPullRequest,
  Hand,
  KeyRound,
  Lightbulb,
  ListTodo,
  type LucideIcon,
  Network,
  Map as Plan,
  ServerOff,
  ShieldCheck,
  Split,
  TriangleAlert,
  Workflow,
} from "lucide-react";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  plan: Plan,
  suggestion: Lightbulb,
  "plan first?": Lightbulb,
  "plan again": CircleX,
  task_plan: ListTodo,
  amendment: FileDiff,
  gate: ShieldCheck,
  best_of: Split,
  decision: Split,
  question: CircleHelp,
  permission: KeyRound,
  conflict: GitCompareArrows,
  review_held: Hand,
  escalation: CircleX,
  concern: TriangleAlert,
  set_up: CircleX,
  "set-up failed": CircleX,
  flow_question: Workflow,
  host_silent: ServerOff,
  pull_request: GitPullRequest,
  issue: CircleDot,
  mention: AtSign,
  limit: DollarSign,
  limit_near: DollarSign,
  task: ListTodo,
  thread: Network,
};

interface Props {
  readonly kind: string;
  readonly size?: number;
}

/** Show the shape of a kind; the word is said beside it. */
export function KindIcon({ kind, size = 14 }: Props) {
  const Icon = ICONS[kind] ?? Diamond;
  return <Icon size={size} aria-hidden />;
}

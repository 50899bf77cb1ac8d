/** The models of plans and their execution, by the names that this page says them with. */

import type { Schemas } from "@/api/client";

export type ThreadView = Schemas["ThreadView"];
export type TaskView = Schemas["TaskView"];
export type SessionView = Schemas["SessionView"];
export type ProposedPlan = Schemas["ProposedPlan"];
export type Plan = Schemas["Plan"];
export type PlannedTask = Schemas["PlannedTask"];
export type TaskPlan = Schemas["TaskPlan"];
export type ApprovalRequest = Schemas["ApprovalRequest"];
export type AmendmentView = Schemas["AmendmentView"];
export type AutonomyOption = Schemas["AutonomyOption"];
export type Autonomy = Schemas["Autonomy"];
export type Decision = Schemas["ShownDecision"];
export type DecisionWait = Schemas["DecisionWait"];
export type PlanChanges = Schemas["PlanChanges"];
export type FieldChange = Schemas["FieldChange"];

/** A run of a flow: its merged conversation beside its steps, and what it asks. */

import { useParams } from "wouter";
import type { Schemas } from "@/api/client";
import { problemOf, useFlowRun } from "@/api/resources";
import { QuestionCard } from "@/conversation/transcript/QuestionCard";
import { Transcript } from "@/conversation/transcript/Transcript";
import own from "@/screens/flow_run/flow_run.module.css";
import { Actions, Place, Title } from "@/screens/flow_run/Header";
import HumanStep from "@/screens/flow_run/HumanStep";
import { numberedOf, Steps } from "@/screens/flow_run/Steps";
import { Waiting } from "@/screens/flow_run/Waiting";
import { Children, Conversations, Outputs, Work } from "@/screens/flow_run/Work";
import { Failure } from "@/ui/Failure";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { SplitPane } from "@/ui/SplitPane";

type Run = Schemas["FlowRunView"];

/** The screen of one run. */
export default function Screen() {
  const { run = "" } = useParams<{ run: string }>();
  const query = useFlowRun(run);
  const view = query.data;
  if (!view) {
    return (
      <Page title={run}>
        <div className={page.padded}>
          {query.error ? (
            <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
          ) : (
            <p className="dim">Loading the run…</p>
          )}
        </div>
      </Page>
    );
  }
  return (
    <ProjectContext value={view.repository}>
      <Page
        title={<Title key={run} view={view} />}
        below={<Place view={view} />}
        actions={
          <ForRole needs="author">
            <Actions view={view} />
          </ForRole>
        }
      >
        <SplitPane
          name="flow_run"
          share={62}
          leftLabel="Transcript"
          rightLabel="Steps and work"
          left={<ConversationPane view={view} />}
          right={<Side view={view} />}
        />
      </Page>
    </ProjectContext>
  );
}

function ConversationPane({ view }: { readonly view: Run }) {
  const isAtWork = view.status === "running" || view.status === "waiting";
  return (
    <div className={own.conversationPane}>
      <div className={own.transcript}>
        <Transcript
          top={view.run_id}
          stream={null}
          isWorking={(view.conversations ?? []).some((each) => each.is_working === true)}
        />
      </div>
      <div className={own.asks}>
        {isAtWork && <Waiting run={view.run_id} />}
        {view.request && (
          <ForRole needs="author" isTold>
            <HumanStep
              key={`${view.run_id} ${view.request.request.request_id}`}
              run={view.run_id}
              asked={view.request}
            />
          </ForRole>
        )}
        {(view.questions ?? []).map((question) => (
          <QuestionCard
            key={`${view.run_id} ${question.question.question_id}`}
            runId={view.run_id}
            question={question}
          />
        ))}
      </div>
    </div>
  );
}

function Side({ view }: { readonly view: Run }) {
  const warnings = view.warnings ?? [];
  return (
    <div className={own.side}>
      {warnings.length > 0 && (
        <Panel title="Warnings">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Panel>
      )}
      <Panel title={`Steps (${numberedOf(view).length})`}>
        <Steps view={view} />
      </Panel>
      <Panel title="Workspace">
        <Work view={view} />
      </Panel>
      {(view.conversations ?? []).length > 0 && (
        <Panel title="Conversations">
          <Conversations view={view} />
        </Panel>
      )}
      {(view.children ?? []).length > 0 && (
        <Panel title="Subflows">
          <Children view={view} />
        </Panel>
      )}
      {Object.keys(view.outputs ?? {}).length > 0 && (
        <Panel title="Step outputs">
          <Outputs view={view} />
        </Panel>
      )}
    </div>
  );
}

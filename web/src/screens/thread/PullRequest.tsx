/** The pull request of a thread: how it stands on its forge, what it asks, and what a person does about it. */

import { Blockquote, Group, Stack } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { PullRequestItem } from "@/screens/inbox/PullRequestItem";
import { Linked } from "@/screens/thread/Linked";
import { PullRequestActions } from "@/screens/thread/PullRequestActions";
import {
  blockersOf,
  checksOf,
  linkOf,
  receiptStatusOf,
  reviewsOf,
  sortedChecks,
  stateOf,
  type WatchedPullRequest,
} from "@/screens/thread/pull_request";
import { Reworks } from "@/screens/thread/Reworks";
import classes from "@/screens/thread/thread.module.css";
import { UpdateBase } from "@/screens/thread/UpdateBase";
import { Safe } from "@/ui/Safe";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";
import { withMarks } from "@/ui/suspicious_text";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly found: WatchedPullRequest;
  readonly isLive: boolean;
}

/** Show it as the newest look saw it; every text in quotation marks is from outside. */
export function PullRequest({ thread, found, isLive }: Props) {
  const open = found.threads.filter((each) => !each.is_resolved);
  return (
    <div className={classes.padded}>
      <StackList stack={thread.publication.stack} next={found.number} />
      <Head found={found} />
      {isLive && <PullRequestActions threadId={thread.thread_id} found={found} />}
      <Blockers found={found} />
      {isLive && /^(behind|conflicts)$/.test(found.mergeability) && (
        <Group gap="xs">
          <UpdateBase thread={thread} />
        </Group>
      )}
      <Section title="Needs you">
        {found.items.length > 0 && (
          <Stack gap="md">
            {found.items.map((item) => (
              <div key={item.item_id}>
                <strong>
                  <Safe text={item.subject} />
                </strong>
                {isLive && (
                  <PullRequestItem
                    thread={thread.thread_id}
                    item={item}
                    isStacked={found.policy.stack_base !== ""}
                  />
                )}
              </div>
            ))}
          </Stack>
        )}
      </Section>
      <Reworks found={found} />
      <Section title={`Checks: ${checksOf(found) || "none"}`}>
        {found.checks.length > 0 && (
          <ul className={classes.plainList}>
            {sortedChecks(found).map((check) => (
              <li key={check.id} className={classes.check}>
                <Status status={check.state} />
                <span>
                  <Safe text={check.name} />
                  {check.summary !== "" && check.state !== "passed" && (
                    <span className="dim">
                      {" "}
                      <Safe text={check.summary} />
                    </span>
                  )}
                </span>
                {linkOf(check.url) !== null && (
                  <Linked
                    url={check.url}
                    text={check.has_log ? "Log" : "Details"}
                    label={`${check.has_log ? "Log" : "Details"} of ${check.name}`}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Reviews">
        {found.reviews.length > 0 && (
          <ul className={classes.plainList}>
            {reviewsOf(found).map(({ id, author, state, commit }) => (
              <li key={id}>
                <Status status={state} /> <Safe text={author.login} />
                {commit !== "" && commit !== found.head_commit && (
                  <span className="dim"> of an earlier commit</span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Open comments">
        {open.length > 0 && open.map((each) => <Discussion key={each.id} of={each} />)}
      </Section>
    </div>
  );
}

/** The pull requests that are merged one after the other, from the first down; nothing where there is no stack. */
function StackList({
  stack,
  next,
}: {
  readonly stack: Schemas["Publication"]["stack"];
  readonly next: number;
}) {
  if (stack.length === 0) {
    return null;
  }
  return (
    <Section title={`Stack of ${stack.length}, merged from the first to the last`}>
      <ol className={classes.plainList}>
        {stack.map((layer, at) => (
          <li key={layer.task_id} aria-current={layer.number === next ? "step" : undefined}>
            {at + 1}.{" "}
            <Linked url={layer.url} text={layer.number > 0 ? `#${layer.number}` : "not open yet"} />{" "}
            <Safe text={layer.title || layer.task_id} /> <Status status={stateOf(layer)} />
            {layer.trouble !== "" && (
              <p>
                <Safe text={layer.trouble} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** What stands in the way of a merge, or that nothing is known to. */
function Blockers({ found }: { readonly found: WatchedPullRequest }) {
  if (/^(merged|closed)$/.test(found.status) || found.head_commit === "") {
    return null;
  }
  const blockers = blockersOf(found);
  if (blockers.length === 0) {
    return (
      <p>
        <Status status="passed" word="No known blockers." />
      </p>
    );
  }
  return (
    <Section title="Before the merge">
      <ul className={classes.plainList}>
        {blockers.map(({ text, isHard }) => (
          <li key={text}>
            <Status status={isHard ? "blocked" : "waiting"} word={withMarks(text)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Head({ found }: { readonly found: WatchedPullRequest }) {
  return (
    <Section
      title={
        <>
          <Linked url={found.url} text={`Pull request ${found.number}`} />{" "}
          <Status status={found.status} />
        </>
      }
    >
      {found.title !== "" && (
        <p>
          <Safe text={found.title} />
        </p>
      )}
      <p className="dim">
        <code>{found.head}</code> at <code>{found.head_commit.slice(0, 12)}</code> into{" "}
        <code>{found.base}</code>
        {found.is_draft && ", a draft"}
        {/^(behind|conflicts|blocked)$/.test(found.mergeability) && `, ${found.mergeability}`}
        {found.will_merge_itself && ", which the forge merges by itself"}
        {found.merge_commit !== "" && (
          <>
            , merged as <code>{found.merge_commit.slice(0, 12)}</code>
          </>
        )}
        {!found.is_watched && found.status === "unwatched" && ", not watched"}
      </p>
      {found.receipt && <Receipt receipt={found.receipt} />}
    </Section>
  );
}

/** How the receipt of what was published stands for the head: a push of another tree makes it void. */
function Receipt({ receipt }: { readonly receipt: Schemas["HeadReceipt"] }) {
  const { status, word } = receiptStatusOf(receipt);
  return (
    <p>
      <Status status={status} word={word} /> <Safe text={receipt.words} />{" "}
      <span className="dim">
        (<code>{receipt.commit.slice(0, 12)}</code>)
      </span>
    </p>
  );
}

function Discussion({ of }: { readonly of: WatchedPullRequest["threads"][number] }) {
  return (
    <div>
      {of.path !== "" && (
        <code>
          <Safe text={of.line > 0 ? `${of.path}:${of.line}` : of.path} />
        </code>
      )}{" "}
      {linkOf(of.comments[0]?.url) !== null && (
        <Linked
          url={of.comments[0]?.url ?? ""}
          text="Open on the forge"
          label={`Open the comment of ${of.comments[0]?.author.login} on the forge`}
        />
      )}
      {of.comments.map(({ id, author, body, edited_at: edited }) => (
        <Blockquote
          key={id}
          p="xs"
          my={4}
          styles={{ cite: { opacity: 1 } }}
          cite={edited ? `${author.login}, edited` : author.login}
        >
          <span className={classes.foreign}>
            <Safe text={body} />
          </span>
        </Blockquote>
      ))}
    </div>
  );
}

/** Keeps one broken part from taking the page with it. */

import { Component, type ReactNode, useEffect } from "react";
import { Empty } from "@/ui/Empty";
import { isMissingPart, reload, reloadSoon } from "@/ui/reload";

interface Props {
  readonly children: ReactNode;
}

interface Failed {
  readonly message: string;
  readonly isMissing: boolean;
}

/** Shows its children; if one of them fails, what failed and a way on. */
export class Fallback extends Component<Props, { readonly failed: Failed | null }> {
  override state: { readonly failed: Failed | null } = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    return { failed: { message: String(error), isMissing: isMissingPart(error) } };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (failed === null) {
      return this.props.children;
    }
    return failed.isMissing ? (
      <Missing />
    ) : (
      <Empty title="Something went wrong" text="Nothing you sent is lost.">
        <pre className="mono">{failed.message}</pre>
        <button type="button" onClick={() => this.setState({ failed: null })}>
          Try again
        </button>
        <button type="button" onClick={() => window.location.reload()}>
          Reload the page
        </button>
      </Empty>
    );
  }
}

/** A part that could not be loaded: no second try of the same page helps, only the new page. */
function Missing() {
  useEffect(reloadSoon, []);
  return (
    <Empty
      title="This screen could not be loaded"
      text="The engine is unavailable or was updated. The screen loads automatically once the engine responds; your text is saved."
    >
      <button type="button" onClick={() => void reload()}>
        Reload
      </button>
    </Empty>
  );
}
